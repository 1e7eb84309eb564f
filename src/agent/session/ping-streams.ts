import type { StreamMessage } from '../../domain/agents/stream-messages.js';
import type { AgentLog } from '../options.js';
import { wait } from '../wait.js';
import type { Ping } from '../wire.js';
import { followPingStream, type StreamOutcome } from './ping-stream.js';

export interface StreamsOptions {
  /** Opens one stream and follows it to its end. */
  follow: (
    onMessage: (message: StreamMessage) => void,
    onSilence: () => void,
    signal: AbortSignal,
  ) => ReturnType<typeof followPingStream>;
  log: AgentLog;
  /** Multiplies every wait; below 1 in tests only. */
  scale: number;
  signal: AbortSignal;
}

const firstWindowMs = 1_000;
const doublingsAtMost = 6;

/**
 * Opens one stream of pings after another, and keeps what the last messages ask for until the agent is free. While
 * streams work the agent does not ping: it waits for the next instruction.
 */
export class PingStreams {
  /** Whether streams work, as far as is known: at the beginning they are waited for. */
  healthy = true;
  /** The server streams to nobody: no more is tried. */
  refused = false;
  private action: 'pause' | 'disconnect' | null = null;
  private message: string | null = null;
  private pending = false;
  private readonly jobs: string[] = [];
  /** The job that the agent has at hand. A stream that is opened meanwhile offers it again. */
  private current: string | undefined;
  private ring: () => void = () => undefined;
  private readonly ended: Promise<void>;

  constructor(private readonly options: StreamsOptions) {
    this.ended = this.run();
  }

  /** Whether an instruction waits. */
  get waiting(): boolean {
    return this.pending;
  }

  /** Whether the last word was to wait. */
  get paused(): boolean {
    return this.action === 'pause';
  }

  /**
   * The next instruction, as a ping would bring it; null when `stop` is aborted, when streams do not work, or after
   * `patienceMs`.
   */
  async next(stop: AbortSignal, patienceMs?: number): Promise<Ping | null> {
    this.current = undefined;
    if (!this.pending && this.healthy && !stop.aborted) await this.rung(stop, patienceMs);
    if (!this.pending || stop.aborted) return null;
    const { action, message } = this;
    const job = action === null ? this.jobs.shift() : undefined;
    this.current = job;
    this.pending = this.jobs.length > 0 && action === null;
    this.message = null;
    return { action, message, ...(job === undefined ? {} : { job: { id: job } }) };
  }

  /** Resolves once the last stream has ended, after `signal` was aborted. */
  async stopped(): Promise<void> {
    await this.ended;
  }

  private async run(): Promise<void> {
    const { signal, scale, log } = this.options;
    let attempts = 0;
    while (!signal.aborted) {
      const windowMs = firstWindowMs * 2 ** Math.min(attempts, doublingsAtMost);
      const startedAt = performance.now();
      let heard = false;
      const onMessage = (message: StreamMessage): void => {
        attempts = 0;
        heard = true;
        this.take(message);
      };
      const outcome = await this.options.follow(onMessage, () => this.pingMeanwhile(), signal);
      this.conclude(outcome, heard);
      if (this.refused || signal.aborted) return;
      attempts += 1;
      log.debug({ outcome, attempts }, 'a stream of pings has ended');
      // Once in a window at most, at no particular moment of it, so that agents do not come in step.
      const rest = Math.max(0, windowMs - (performance.now() - startedAt)) + Math.random() * windowMs;
      await wait(rest * scale, signal);
    }
  }

  private conclude(outcome: StreamOutcome, heard: boolean): void {
    if (outcome === 'over' && heard) return;
    if (outcome === 'aborted') return;
    if (outcome === 'refused') {
      this.refused = true;
      this.options.log.info({}, 'the server does not stream pings: asking for work instead');
    }
    this.pingMeanwhile();
  }

  /** The agent pings until a stream says something again. */
  private pingMeanwhile(): void {
    this.healthy = false;
    this.ring();
  }

  private take(message: StreamMessage): void {
    this.healthy = true;
    // Nothing undoes a disconnect; otherwise the last word counts, and jobs wait until the agent may work.
    if (message.kind === 'job') {
      if (message.jobId === this.current || this.jobs.includes(message.jobId)) return;
      this.jobs.push(message.jobId);
    }
    if (this.action !== 'disconnect') {
      this.action = message.kind === 'pause' || message.kind === 'disconnect' ? message.kind : null;
      this.message = 'reason' in message && message.reason !== '' ? message.reason : null;
    }
    this.pending = true;
    this.ring();
  }

  private async rung(stop: AbortSignal, patienceMs: number | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        stop.removeEventListener('abort', done);
        resolve();
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(done, patienceMs);
      this.ring = done;
      stop.addEventListener('abort', done, { once: true });
    });
    this.ring = () => undefined;
  }
}
