/**
 * Work that many followers of one thing want at the same moment, and that is done once for all of them. A call with the
 * key of work under way gets the outcome of that work; a failure is shared too, and is not kept.
 */
export class SharedWork {
  private readonly byKey = new Map<string, Promise<unknown>>();

  /**
   * Does the work, or joins the same work of others. `keptForMs` is how long an outcome serves those who come after it
   * was there; without it only those who come before.
   */
  once<T>(key: string, work: () => Promise<T>, keptForMs = 0): Promise<T> {
    // A key names one kind of work.
    const known = this.byKey.get(key) as Promise<T> | undefined;
    if (known) return known;
    const outcome = work();
    this.byKey.set(key, outcome);
    const forget = () => void this.byKey.delete(key);
    void outcome.then(keptForMs > 0 ? () => setTimeout(forget, keptForMs).unref() : forget, forget);
    return outcome;
  }
}
