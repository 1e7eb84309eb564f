import { buildKinds } from './policy.js';

/** Everything that retention deletes: of builds by policy, then what is the organization's and the installation's. */
export const retentionKinds = [...buildKinds, 'runs', 'audit', 'agents', 'groups', 'messages'] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** What one pipeline, suite, organization or the installation has lost of a kind, or would lose. */
export interface Gone {
  kind: RetentionKind;
  organization: string | null;
  /** Slug of the pipeline or suite; null for what belongs to neither. */
  owner: string | null;
  /** Builds whose rows or bytes go, runs, events, agents, groups or messages. */
  items: number;
  /** Rows that are deleted; for artifacts, whose rows stay as expired ones, rows that are marked. */
  rows: number;
  /** Bytes of logs and artifacts in the storage. */
  bytes: number;
  /** Of builds: how many are exported before they go; absent for none. */
  exports?: number;
  /** Builds that are due and stay, because they are to be exported first and could not be; absent for none. */
  holds?: number;
}

/** What a whole pass deleted. */
export interface RetentionReport {
  /** When the pass ended, ISO 8601. */
  endedAt: string;
  gone: Gone[];
}

/**
 * What a pass works through, in this order; each has a cursor of its own. `sizes` is of 0.2.0 to this release, whose
 * replicas may have stored it: nothing is done in it any more.
 */
export const passStages = [
  'leftovers',
  'builds',
  'runs',
  'audit',
  'agents',
  'groups',
  'messages',
  'sizes',
  'ended',
] as const;
export type PassStage = (typeof passStages)[number];

/** How far a pass has come. */
export interface PassProgress {
  stage: PassStage;
  /** The owner that is worked on, or was last; empty before the first. */
  cursor: string;
  /** Within the owner: the number of the last build looked at, or the id of the last run; null before the first. */
  within: string | null;
  /**
   * For pipelines: the number of the oldest of the newest builds, by count. Kept, because deletions of a pass would
   * move it.
   */
  oldest: Record<string, number>;
  gone: Gone[];
  /** Whether nothing can be exported: builds that are to be exported first stay for the rest of the pass. */
  exportsAreOut?: boolean;
}

export const newPass = (): PassProgress => ({
  stage: 'leftovers',
  cursor: '',
  within: null,
  oldest: {},
  gone: [],
});

/** The progress at the begin of the next stage. */
export function nextStage(progress: PassProgress): PassProgress {
  const stage = passStages[passStages.indexOf(progress.stage) + 1] ?? 'ended';
  return { ...progress, stage, cursor: '', within: null, oldest: {} };
}

/** Most entries of a report: owners beyond are summed by kind. */
const mostEntries = 1_000;

/** Adds what is gone to a list, to the entry of the same kind and owner. */
export function addGone(list: readonly Gone[], added: Gone): Gone[] {
  if (added.items === 0 && added.rows === 0 && added.bytes === 0 && !added.holds) return [...list];
  const isSame = (each: Gone, { organization, owner }: Pick<Gone, 'organization' | 'owner'>) =>
    each.kind === added.kind && each.organization === organization && each.owner === owner;
  const target =
    list.some((each) => isSame(each, added)) || list.length < mostEntries ? added : { ...added, ...nobody };
  const sum = (each: Gone): Gone => ({
    ...each,
    items: each.items + added.items,
    rows: each.rows + added.rows,
    bytes: each.bytes + added.bytes,
    ...sumOf('exports', each, added),
    ...sumOf('holds', each, added),
  });
  return list.some((each) => isSame(each, target))
    ? list.map((each) => (isSame(each, target) ? sum(each) : each))
    : [...list, target];
}

const sumOf = (name: 'exports' | 'holds', a: Gone, b: Gone): Partial<Gone> => {
  const sum = (a[name] ?? 0) + (b[name] ?? 0);
  return sum > 0 ? { [name]: sum } : {};
};

const nobody = { organization: null, owner: null };

/** Sums by kind, for logs and metrics. */
export function sumsByKind(
  gone: readonly Gone[],
): Partial<Record<RetentionKind, Pick<Gone, 'items' | 'rows' | 'bytes'>>> {
  const sums: Partial<Record<RetentionKind, Pick<Gone, 'items' | 'rows' | 'bytes'>>> = {};
  for (const { kind, items, rows, bytes } of gone) {
    const sum = sums[kind] ?? { items: 0, rows: 0, bytes: 0 };
    sums[kind] = { items: sum.items + items, rows: sum.rows + rows, bytes: sum.bytes + bytes };
  }
  return sums;
}
