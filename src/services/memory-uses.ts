import type { Services } from './services.js';

/** Use of a memory of the process that has a budget. */
export interface MemoryUse {
  bytes: number;
  budget: number;
}

/** The memories of a server whose entries callers choose, by kind: what `slipway_kept_bytes` shows. */
export class MemoryUses {
  private static readonly known = new WeakMap<Services['limits'], MemoryUses>();

  /** Those of the server with these services. */
  static of({ limits }: Pick<Services, 'limits'>): MemoryUses {
    let memories = this.known.get(limits);
    if (!memories) this.known.set(limits, (memories = new MemoryUses()));
    return memories;
  }

  private readonly uses = new Map<string, () => MemoryUse>();

  /** Adds a memory; one of the same kind is replaced. */
  add(kind: string, use: () => MemoryUse): void {
    this.uses.set(kind, use);
  }

  all(): [kind: string, use: MemoryUse][] {
    return [...this.uses].map(([kind, use]) => [kind, use()]);
  }
}
