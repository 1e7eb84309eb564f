/**
 * Knows since when no agent of this process has had a job. Spawned agents leave together: one that waits while
 * another works must stay, or the pool would shrink under load.
 */
export class IdleMonitor {
  private working = 0;
  private idleSince: number;

  constructor(
    private readonly timeoutSeconds: number | undefined,
    private readonly now: () => number = Date.now,
  ) {
    this.idleSince = now();
  }

  jobStarted(): void {
    this.working += 1;
  }

  jobEnded(): void {
    this.working -= 1;
    this.idleSince = this.now();
  }

  /** Whether there is a timeout. */
  get limited(): boolean {
    return this.timeoutSeconds !== undefined;
  }

  /** True once nothing has run for the whole timeout; never without a timeout. */
  get expired(): boolean {
    if (this.timeoutSeconds === undefined || this.working > 0) return false;
    return this.now() - this.idleSince >= this.timeoutSeconds * 1000;
  }
}
