import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { limits } from '../domain/limits/limits.js';
import type { Db } from '../entities/database.js';

const tokensAtMost = 10_000;

/**
 * Notes that API tokens have changed something, so that every process reads their next lists where the change is
 * certain to be. A note stands for `limits.ownWritesNoteMs`: however often a token changes something, its row is
 * written every two seconds by each process.
 */
export class TokenWrites {
  private readonly noted = new LRUCache<string, true>({ max: tokensAtMost, ttl: limits.ownWritesNoteMs });

  /** Resolves when the next request of the token, to whatever process, finds the note. */
  async note(db: Db, tokenId: string): Promise<void> {
    if (this.noted.has(tokenId)) return;
    const start = performance.now();
    await sql`update api_tokens set wrote_at = now() where id = ${tokenId}`.execute(db);
    const remaining = limits.ownWritesNoteMs - (performance.now() - start);
    if (remaining > 0) this.noted.set(tokenId, true, { ttl: remaining });
  }
}
