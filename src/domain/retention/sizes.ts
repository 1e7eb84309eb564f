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
