import { stripVTControlCharacters, styleText } from 'node:util';

export type Style = 'bold' | 'green' | 'red' | 'yellow' | 'dim';

/** Where the progress of a build is printed. */
export interface Screen {
  write(text: string): void;
  /** Whether escape sequences of colors reach a terminal. */
  colors: boolean;
}

/** The screen of this process. A reader that leaves, as with `| head`, does not end the build. */
export function openScreen(stream: NodeJS.WriteStream): Screen {
  stream.on('error', () => undefined);
  return { write: (text) => void stream.write(text), colors: stream.isTTY === true && stream.hasColors() };
}

export function styled(screen: Screen, style: Style, text: string): string {
  return screen.colors ? styleText(style, text, { validateStream: false }) : text;
}

/** The marks of time that agents put before lines. */
const timestamps = /\x1b_bk;[^\x07\x1b]*(?:\x07|\x1b\\)/g;

/** Begins the part of a log in which nothing of the author's runs; shown only where it fails. */
const quietHeader = '~~~ Preparing working directory';

/** Prints the log of one job as it grows: whole lines, without marks of time, after the prefix of the job. */
export class LogPrinter {
  private readonly decoder = new TextDecoder();
  private rest = '';
  /** Lines of a quiet group, in case it fails. */
  private quiet: string[] | null = null;
  /** Bytes taken so far. */
  size = 0;

  constructor(
    private readonly screen: Screen,
    private readonly options: { prefix: string; verbose: boolean },
  ) {}

  push(bytes: Uint8Array): void {
    this.size += bytes.length;
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.line(line);
  }

  end(): void {
    const rest = this.rest + this.decoder.decode();
    this.rest = '';
    if (rest !== '') this.line(rest);
  }

  private line(line: string): void {
    const text = line.replace(timestamps, '').replace(/\r+$/, '');
    if (text.startsWith('^^^ ')) {
      for (const quietLine of this.quiet ?? []) this.print(quietLine);
      this.quiet = null;
      return;
    }
    const header = /^(?:---|\+\+\+|~~~) /.test(text);
    if (header) this.quiet = text === quietHeader && !this.options.verbose ? [] : null;
    if (this.quiet) this.quiet.push(header ? styled(this.screen, 'dim', text) : text);
    else this.print(header ? styled(this.screen, text.startsWith('~~~') ? 'dim' : 'bold', text) : text);
  }

  private print(text: string): void {
    this.screen.write(`${this.options.prefix}${this.screen.colors ? text : stripVTControlCharacters(text)}\n`);
  }
}

/** `0.8 s`, `1 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const parts = [`${Math.floor((whole % 3600) / 60)} min`, `${whole % 60} s`];
  return (hours > 0 ? [`${hours} h`, ...parts] : parts).join(' ');
}
