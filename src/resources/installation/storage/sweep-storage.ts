import type { Services } from '../../../services.js';
import type { ObjectStat } from '../../../storage/storage.js';
import { storedArtifacts } from './stored-artifacts.js';
import { storedLogs } from './stored-logs.js';
import { isSettled, type StoredObjectKind, type StoredRow } from './stored-object-kind.js';

const objectsOfARound = 500;
const rowsOfARound = 200;
const statsAtOnce = 8;
const root = 'organizations/';
const kinds = [storedLogs, storedArtifacts];

export interface SweepRound {
  /** Objects deleted. */
  collected: number;
  /** Rows whose object is gone. */
  missing: number;
  /** Whether the round reached the end of objects and rows; the next one starts over. */
  ended: boolean;
}

/**
 * Compares the objects in storage with the rows that own them, a bounded part each round. Objects without a row, left by a
 * process that died between storing and recording, are deleted once no write can still record them. Rows without an
 * object are reported in the log and counted in {@link missingRows}.
 */
export class StorageSweep {
  /** Key of the last object seen; null once all were seen. */
  private object: string | null = '';
  private readonly rows = kinds.map((kind) => new RowSweep(kind));
  /** Rows without an object in the last complete pass, by kind; empty before the first. */
  missingRows: ReadonlyMap<string, number> = new Map();

  async round(services: Services): Promise<SweepRound> {
    const collected = this.object === null ? 0 : await this.collect(services, this.object);
    let missing = 0;
    for (const rows of this.rows) missing += await rows.round(services);
    const ended = this.object === null && this.rows.every((rows) => rows.ended);
    if (ended) {
      this.missingRows = new Map(this.rows.map((rows) => [rows.kind.name, rows.restart()]));
      this.object = '';
    }
    return { collected, missing, ended };
  }

  private async collect(services: Services, after: string): Promise<number> {
    const objects: ObjectStat[] = [];
    for await (const object of services.storage.list(root, after === '' ? undefined : after)) {
      objects.push(object);
      if (objects.length === objectsOfARound) break;
    }
    const settled = objects.filter(({ modifiedAt }) => isSettled(services, modifiedAt));
    let collected = 0;
    for (const kind of kinds)
      for (const { key } of await kind.orphans(services, settled)) {
        // Written again since it was listed: its writer is about to record it.
        const now = await services.storage.stat(key);
        if (!now || !isSettled(services, now.modifiedAt)) continue;
        await services.storage.delete(key);
        collected += 1;
      }
    this.object = objects.length < objectsOfARound ? null : (objects.at(-1)?.key ?? null);
    if (collected > 0) services.log.info({ objects: collected }, 'stored objects without a row were deleted');
    return collected;
  }
}

/** One pass over the rows of a kind. */
class RowSweep {
  ended = false;
  private cursor: StoredRow['cursor'] | null = null;
  private missing = 0;

  constructor(readonly kind: StoredObjectKind) {}

  /** Checks the next rows. Returns how many of them have no object. */
  async round(services: Services): Promise<number> {
    if (this.ended) return 0;
    const rows = await this.kind.rowsAfter(services, this.cursor, rowsOfARound);
    let missing = 0;
    for (let start = 0; start < rows.length; start += statsAtOnce) {
      const some = rows.slice(start, start + statsAtOnce);
      const stats = await Promise.all(some.map(({ key }) => services.storage.stat(key)));
      for (const [index, row] of some.entries()) {
        if (stats[index] || !(await this.kind.isOwner(services, row))) continue;
        services.log.error(
          { ...row.names, key: row.key, reason: 'missing' },
          `stored bytes of ${this.kind.name} are missing`,
        );
        missing += 1;
      }
    }
    this.cursor = rows.at(-1)?.cursor ?? null;
    this.ended = rows.length < rowsOfARound;
    this.missing += missing;
    return missing;
  }

  /** Starts over. Returns the number of rows without an object in the pass that ended. */
  restart(): number {
    const { missing } = this;
    Object.assign(this, { ended: false, cursor: null, missing: 0 });
    return missing;
  }
}
