import type { BuildInsight } from './insight.js';
import { Sketch } from './sketch.js';

/** What rollups have figures of: whole pipelines, and their branches, queues and steps. */
export const rollupKinds = ['pipeline', 'branch', 'queue', 'step'] as const;
export type RollupKind = (typeof rollupKinds)[number];

/** Lengths of the pieces of time that rollups are of, in UTC, shortest first. */
export const rollupSpans = ['hour', 'day', 'month'] as const;
export type RollupSpan = (typeof rollupSpans)[number];

/** Key of the figures of all branches or steps beyond the bound together; no branch of Git may be called so. */
export const othersKey = '*';

/** Figures that add up: those of two times, pipelines or keys are their sums. */
export interface Figures {
  builds: number;
  failed: number;
  retried: number;
  /** Time of agents by the id of their queue, in milliseconds. */
  agentMs: Map<string, number>;
  durations: Sketch;
  waits: Sketch;
  logBytes: number;
  artifactBytes: number;
}

/** Figures of a key as a row of rollups has them. */
export type PackedFigures = [
  key: string,
  builds: number,
  failed: number,
  retried: number,
  agentMs: Readonly<Record<string, number>>,
  durations: string,
  waits: string,
  /** Absent in rollups from before bytes were counted. */
  logBytes?: number,
  artifactBytes?: number,
];

export const noFigures = (): Figures => ({
  builds: 0,
  failed: 0,
  retried: 0,
  agentMs: new Map(),
  durations: new Sketch(),
  waits: new Sketch(),
  logBytes: 0,
  artifactBytes: 0,
});

type Numbers = Pick<Figures, 'builds' | 'failed' | 'retried' | 'logBytes' | 'artifactBytes'>;

function addNumbers(to: Figures, other: Numbers): void {
  to.builds += other.builds;
  to.failed += other.failed;
  to.retried += other.retried;
  to.logBytes += other.logBytes;
  to.artifactBytes += other.artifactBytes;
}

const addTime = (to: Figures, queue: string, ms: number) => to.agentMs.set(queue, (to.agentMs.get(queue) ?? 0) + ms);

export function addFigures(to: Figures, other: Figures): void {
  addNumbers(to, other);
  for (const [queue, ms] of other.agentMs) addTime(to, queue, ms);
  to.durations.add(other.durations);
  to.waits.add(other.waits);
}

export function addPackedFigures(
  to: Figures,
  [, builds, failed, retried, agentMs, durations, waits, logBytes = 0, artifactBytes = 0]: PackedFigures,
): void {
  addNumbers(to, { builds, failed, retried, logBytes, artifactBytes });
  for (const [queue, ms] of Object.entries(agentMs)) addTime(to, queue, ms);
  to.durations.addPacked(durations);
  to.waits.addPacked(waits);
}

/** Figures by their keys, made where there are none. */
export function figuresOf(byKey: Map<string, Figures>, key: string): Figures {
  let figures = byKey.get(key);
  if (!figures) byKey.set(key, (figures = noFigures()));
  return figures;
}

/** At most so many keys, those with most builds; the figures of all others go together. */
export function packFigures(byKey: ReadonlyMap<string, Figures>, most: number): PackedFigures[] {
  const all = [...byKey].sort(
    ([key, one], [other, { builds }]) =>
      // The others stay the others.
      Number(key === othersKey) - Number(other === othersKey) || builds - one.builds || (key < other ? -1 : 1),
  );
  const first = all.slice(0, all.length > most ? most - 1 : most);
  const rest = all.slice(first.length);
  if (rest.length > 0) {
    const others = noFigures();
    for (const [, figures] of rest) addFigures(others, figures);
    first.push([othersKey, others]);
  }
  return first.map(([key, { builds, failed, retried, agentMs, durations, waits, logBytes, artifactBytes }]) => [
    key,
    builds,
    failed,
    retried,
    Object.fromEntries(agentMs),
    durations.pack(),
    waits.pack(),
    logBytes,
    artifactBytes,
  ]);
}

/** How much work packed figures are: one for each key, and for each queue where agents of several ran it. */
export const sizeOf = (packed: readonly PackedFigures[]): number =>
  packed.reduce((sum, [, , , , agentMs]) => sum + Math.max(1, Object.keys(agentMs).length), 0);

const shares = [0.5, 0.9, 0.95];
const hourMs = 3_600_000;

/** @param prices prices of an hour of an agent by the id of its queue */
export function insightOf(
  { subject, key }: Pick<BuildInsight, 'subject' | 'key'>,
  { builds, failed, retried, agentMs, durations, waits, logBytes, artifactBytes }: Figures,
  prices: ReadonlyMap<string, number>,
): BuildInsight {
  const [durationP50 = null, durationP90 = null, durationP95 = null] = durations.percentiles(shares);
  const [waitP50 = null, waitP90 = null, waitP95 = null] = waits.percentiles(shares);
  let allMs = 0;
  let cost: number | null = null;
  for (const [queue, ms] of agentMs) {
    allMs += ms;
    const price = prices.get(queue);
    if (price !== undefined) cost = (cost ?? 0) + (price * ms) / hourMs;
  }
  return {
    subject,
    key,
    builds,
    failed,
    durationP50,
    durationP90,
    durationP95,
    waitP50,
    waitP90,
    waitP95,
    retried,
    agentSeconds: Math.round(allMs / 1000),
    cost: cost === null ? null : Math.round(cost * 10_000) / 10_000,
    logBytes,
    artifactBytes,
  };
}
