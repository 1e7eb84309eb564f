import { LineStamps } from './line-stamps.js';
import type { LogStreamer } from './log-streamer.js';
import { Redactor, secretVariables, tellable } from './redactor.js';

/** One job's log: everything said in it is redacted, stamped and streamed, the agent's own lines too. */
export class JobLog {
  private readonly redactor = new Redactor();
  private readonly stamps = new LineStamps();

  /** @param secretNames patterns of the variables whose values are hidden */
  constructor(
    private readonly streamer: LogStreamer,
    private readonly secretNames?: readonly string[],
  ) {}

  /** Hides the values of secret-like variables from now on. */
  hideSecretsOf(env: Readonly<Record<string, string | undefined>>): void {
    this.redactor.add(secretVariables(env, this.secretNames).map(({ value }) => value));
  }

  /** Redacts these values from now on, unless they are too short to distinguish from ordinary text. */
  hide(values: readonly string[]): void {
    this.redactor.add(values.filter(tellable));
  }

  /** Output of a program; resolves when there is room for more. */
  async write(bytes: Buffer): Promise<void> {
    await this.streamer.write(this.stamps.push(this.redactor.push(bytes)));
  }

  /** A line of the agent's own, always on a line of its own. */
  async line(text: string): Promise<void> {
    const rest = this.stamps.push(this.redactor.flush());
    const gap = this.stamps.lineEnded ? '' : '\n';
    await this.streamer.write(rest);
    await this.write(Buffer.from(`${gap}${text}\n`));
  }

  /** Starts a muted group. */
  async group(title: string): Promise<void> {
    await this.line(`~~~ ${title}`);
  }

  /** Uploads the rest and gives how many chunks were lost. */
  async close(): Promise<number> {
    await this.streamer.write(this.stamps.push(this.redactor.flush()));
    return this.streamer.close();
  }
}
