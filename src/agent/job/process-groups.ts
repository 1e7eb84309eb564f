/**
 * The process groups of one program: its own, and with a pseudo-terminal that of `script`, which holds the terminal.
 */
export class ProcessGroups {
  /**
   * @param outer group of the process that was started
   * @param inner group of the program inside a terminal; null while it has not started or where there is no terminal
   */
  constructor(
    private readonly outer: number,
    private readonly inner: () => number | null = () => null,
  ) {}

  /** Whether any process of the program is left. */
  get exist(): boolean {
    return this.groups().some((group) => send(group, 0));
  }

  /** Signals the program; one that is not yet inside its terminal gets the signal passed on by what holds it. */
  signal(signal: NodeJS.Signals): void {
    send(this.inner() ?? this.outer, signal);
  }

  /** Kills everything, what holds the terminal too. */
  kill(): void {
    for (const group of this.groups()) send(group, 'SIGKILL');
  }

  private groups(): number[] {
    const inner = this.inner();
    return inner === null ? [this.outer] : [inner, this.outer];
  }
}

/** Signals a process group; returns whether it (still) exists. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
