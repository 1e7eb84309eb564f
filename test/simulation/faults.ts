/**
 * What may go wrong in one call:
 * - `conflict`: the database refuses a statement of a transaction, which may be tried again;
 * - `lost`: the connection breaks at a statement, before it was carried out;
 * - `lostBeforeCommit`, `lostAfterCommit`: it breaks at a COMMIT that had no effect, or had it;
 * - `recoveryAfterCommit`: as `lostAfterCommit`, and the server recovers from a crash, so that nobody may believe its
 *   numbers;
 * - `crash`, `crashAfterCommit`: the process dies at a statement, or between COMMIT and reply;
 * - `storageFails`, `storageReplyLost`: an object is not stored, or is and nobody hears of it;
 * - `storageHangs`: storing an object takes until somebody lets it go on.
 */
export const faultKinds = [
  'conflict',
  'lost',
  'lostBeforeCommit',
  'lostAfterCommit',
  'recoveryAfterCommit',
  'crash',
  'crashAfterCommit',
  'storageFails',
  'storageReplyLost',
  'storageHangs',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What the client of a broken connection gets. */
const connectionLost = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });

/** Breaks the database and the storage under the product, once for each time it is armed. */
export class Faults {
  /** Whether the process is dead: nothing it asks for happens or is answered, until another is started. */
  dead = false;
  /** How often the database server recovered from a crash. */
  incarnation = 0;
  private armed: { kind: FaultKind; after: number } | null = null;
  private fired: FaultKind | null = null;
  private inTransaction = false;
  private onDeath: () => void = () => undefined;
  private death = this.nextDeath();

  /** Lets `kind` happen at the first place it can, after `after` statements. */
  arm(kind: FaultKind, after: number): void {
    this.armed = { kind, after };
    this.fired = null;
  }

  /** What happened since {@link arm}, if anything did. */
  disarm(): FaultKind | null {
    const { fired } = this;
    this.armed = this.fired = null;
    return fired;
  }

  /** Resolves when the process dies. */
  get died(): Promise<void> {
    return this.death;
  }

  restart(): void {
    this.dead = false;
    this.armed = this.fired = null;
    this.death = this.nextDeath();
  }

  private nextDeath(): Promise<void> {
    return new Promise((resolve) => {
      this.onDeath = resolve;
    });
  }

  /** Whether this fault is to happen to an object that is stored now. */
  takeForStorage(kind: FaultKind): boolean {
    if (this.armed?.kind !== kind) return false;
    this.fire();
    return true;
  }

  /**
   * Carries a statement out with these faults; `undo` rolls the open transaction back, as a server does whose client is
   * gone. Rejects where the connection breaks; `dead`: the process died and waits for no answer.
   */
  async statement<T>(
    sql: string,
    run: () => Promise<T>,
    undo: () => Promise<unknown>,
  ): Promise<T | 'conflict' | 'dead'> {
    if (this.dead) return 'dead';
    const text = sql.trim().toLowerCase();
    const kind = this.due(text);
    if (kind === 'conflict') return kind;
    if (kind === null) {
      const result = await run();
      if (text.startsWith('begin')) this.inTransaction = true;
      else if (text === 'commit' || text === 'rollback') this.inTransaction = false;
      return result;
    }
    if (kind.endsWith('AfterCommit')) await run();
    else if (this.inTransaction) await undo();
    this.inTransaction = false;
    if (kind === 'recoveryAfterCommit') this.incarnation += 1;
    if (kind !== 'crash' && kind !== 'crashAfterCommit') throw connectionLost();
    this.dead = true;
    this.onDeath();
    return 'dead';
  }

  private due(text: string): FaultKind | null {
    const { armed } = this;
    if (!armed || !this.canHappen(armed.kind, text)) return null;
    if (armed.after > 0) {
      armed.after -= 1;
      return null;
    }
    return this.fire();
  }

  private canHappen(kind: FaultKind, text: string): boolean {
    if (text === 'rollback' || kind.startsWith('storage')) return false;
    if (kind.endsWith('Commit')) return text === 'commit';
    return kind === 'conflict' ? this.inTransaction && text !== 'commit' : true;
  }

  private fire(): FaultKind | null {
    this.fired = this.armed?.kind ?? null;
    this.armed = null;
    return this.fired;
  }
}
