/** What sizes are counted of, for the surfaces. */
export const sizeKinds = ['builds', 'logs', 'artifacts', 'runs', 'audit'] as const;
export type SizeKind = (typeof sizeKinds)[number];

/** Bytes are those in the storage for logs and artifacts, and an estimate of those in the database for the rest. */
export interface Size {
  rows: number;
  bytes: number;
}

export type Sizes = Partial<Record<SizeKind, Size>>;

/** Adds sizes kind by kind. */
export function addSizes(a: Sizes, b: Sizes): Sizes {
  const kinds = sizeKinds.filter((kind) => a[kind] ?? b[kind]);
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      { rows: (a[kind]?.rows ?? 0) + (b[kind]?.rows ?? 0), bytes: (a[kind]?.bytes ?? 0) + (b[kind]?.bytes ?? 0) },
    ]),
  );
}

/** How far a count of sizes has come. */
export interface CountProgress {
  /** The owner that is being counted, or was counted last; empty before the first. */
  cursor: string;
  /** Within the owner: the number of the last build counted, or the id of the last run; null between two owners. */
  within: string | null;
  /** Sizes of the owner so far. */
  sums: Sizes;
  /** Number of owners that were counted. */
  owners: number;
}

/** The progress at the beginning of a count. */
export const newCount = (): CountProgress => ({ cursor: '', within: null, sums: {}, owners: 0 });
