/**
 * Lets those who need the same thing synced at about the same time share it: a caller waits for a sync that began after
 * its call, so that what it did before is covered, and all who call while one is running share the next.
 */
export class SharedSync {
  private readonly running = new Map<string, Promise<void>>();
  private readonly next = new Map<string, Promise<void>>();

  constructor(private readonly sync: (name: string) => Promise<void>) {}

  /** Resolves when a sync of `name` that began after this call is done; rejects if it failed. */
  run(name: string): Promise<void> {
    const running = this.running.get(name);
    if (!running) return this.begin(name);
    const shared = this.next.get(name) ?? this.after(name, running);
    this.next.set(name, shared);
    return shared;
  }

  private async after(name: string, running: Promise<void>): Promise<void> {
    // Whether the one before failed is the matter of those who waited for it.
    await running.catch(() => undefined);
    this.next.delete(name);
    return this.begin(name);
  }

  private begin(name: string): Promise<void> {
    const run = this.sync(name).finally(() => {
      if (this.running.get(name) === run) this.running.delete(name);
    });
    this.running.set(name, run);
    return run;
  }
}
