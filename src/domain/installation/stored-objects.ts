import { limits } from '../limits/limits.js';

const dayMs = 24 * 60 * 60_000;

/** Clocks of storages, servers and databases are taken to differ by less than this. */
const clocksDifferByMs = 60 * 60_000;

/** Place in the order of the rows that own objects: an id, and a number below it. */
export type RowCursor = readonly [string, number];

/** How far a pass has come with the rows of one kind of objects. */
export interface RowProgress {
  cursor: RowCursor | null;
  ended: boolean;
  /** Rows whose object is gone. */
  missing: number;
}

/** Objects without a row, as one pass counts them. */
export interface ObjectCounts {
  /** Moved into quarantine. */
  quarantined: number;
  /** Moved back from there, because a row owns them after all. */
  restored: number;
  /** Deleted at the end of their time there. */
  deleted: number;
  /** Still there. */
  inQuarantine: number;
  /** Objects that are left alone because they may belong to another installation. */
  unproven: number;
}

/** A pass over the storage and the rows, as far as it has come. */
export interface SweepProgress {
  /** Key of the last object seen in quarantine and outside; null once all were seen. */
  quarantine: string | null;
  objects: string | null;
  /** By kind of objects. */
  rows: Record<string, RowProgress>;
  counts: ObjectCounts;
  /** Bytes of the objects seen outside of quarantine, by kind; absent in a pass that a former release began. */
  bytes?: Record<string, number>;
  /** Keys of the first objects found missing. */
  examples: string[];
}

/** What a whole pass found. */
export interface SweepReport extends ObjectCounts {
  /** Rows whose object is gone, by kind of objects. */
  missing: Record<string, number>;
  /** Bytes of the objects, by kind; absent in the report of a former release. */
  bytes?: Record<string, number>;
}

/** Objects that a round of a pass looks at. */
export const objectsOfARound = 500;
const minutesOfADay = 24 * 60;
/** Most rounds a minute: ten thousand objects, whose rows cost as many requests where the storage is a bucket. */
const mostRounds = 20;

/** Rounds a minute that look at so many objects within a day; an estimate of the number is good enough. */
export function roundsAMinute(objects: number): number {
  return Math.min(mostRounds, Math.max(1, Math.ceil(objects / minutesOfADay / objectsOfARound)));
}

/** The pass before it has seen anything, for these kinds of objects. */
export function newSweep(kinds: readonly string[]): SweepProgress {
  return {
    quarantine: '',
    objects: '',
    rows: Object.fromEntries(kinds.map((kind) => [kind, { cursor: null, ended: false, missing: 0 }])),
    counts: { quarantined: 0, restored: 0, deleted: 0, inQuarantine: 0, unproven: 0 },
    bytes: Object.fromEntries(kinds.map((kind) => [kind, 0])),
    examples: [],
  };
}

/** The report of a pass; null if it has not seen everything. */
export function reportOf({ quarantine, objects, rows, counts, bytes }: SweepProgress): SweepReport | null {
  if (quarantine !== null || objects !== null || Object.values(rows).some(({ ended }) => !ended)) return null;
  const missing = Object.fromEntries(Object.entries(rows).map(([kind, row]) => [kind, row.missing]));
  return { ...counts, missing, ...(bytes ? { bytes } : {}) };
}

/** Whether an object is older than the longest backup: a restored database may lack the row of a younger one. */
export function isOldEnough(modifiedAt: Date, now: Date): boolean {
  return modifiedAt.getTime() < now.getTime() - limits.orphanDays * dayMs;
}

/**
 * Time from which stored objects certainly belong to this installation, if it claims its storage `now`. Later than
 * `now` by the largest difference of clocks, because other installations may have stored objects until then.
 */
export function ownedFrom(now: Date): Date {
  return new Date(now.getTime() + clocksDifferByMs);
}

/** Folder of objects without a row, below it a folder for each day on which they were moved there. */
export const quarantineFolder = 'quarantine/';

/** Key of an object in quarantine. */
export function quarantineKey(key: string, now: Date): string {
  return `${quarantineFolder}${dayOf(now)}/${key}`;
}

/** The key that an object in quarantine had, and whether its time there is over; null for any other object. */
export function readQuarantineKey(key: string, now: Date): { key: string; isOver: boolean } | null {
  const [, day, former] = /^quarantine\/(\d{4}-\d{2}-\d{2})\/(.+)$/s.exec(key) ?? [];
  if (day === undefined || former === undefined) return null;
  return { key: former, isOver: day < dayOf(new Date(now.getTime() - limits.quarantineDays * dayMs)) };
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
