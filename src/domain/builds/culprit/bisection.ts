/**
 * A bisection over the commits of a branch: position 0 is the last commit that passed, `last` the first that failed.
 * Several commits are tested at a time, and commits that cannot be judged are skipped over, so that the answer may be a
 * range.
 */

/** How a commit was judged; `skipped` for one that cannot be, and `needless` once others have told enough. */
export const culpritVerdicts = ['good', 'bad', 'skipped', 'needless'] as const;
export type CulpritVerdict = (typeof culpritVerdicts)[number];

export interface Bisection {
  /** Position of the commit that is known to fail; at least 1. */
  last: number;
  /** Commits between that were tested, by their position: null while a build of the commit runs. */
  tested: ReadonlyMap<number, CulpritVerdict | null>;
}

/** Positions between which the branch turned red: the commit at `good` passed, the one at `bad` failed. */
export interface Span {
  good: number;
  bad: number;
}

/**
 * The narrowest span that the verdicts leave, from the first failed commit down to the last passed one before it. A
 * commit that passed after a failed one tells nothing: its branch was red before.
 */
export function spanOf({ last, tested }: Bisection): Span {
  const positionsOf = (verdict: CulpritVerdict) =>
    [...tested].flatMap(([position, each]) => (each === verdict ? [position] : []));
  const bad = Math.min(last, ...positionsOf('bad'));
  const good = Math.max(0, ...positionsOf('good').filter((position) => position < bad));
  return { good, bad };
}

/** Positions whose builds still run although their verdicts can tell nothing more. */
export function needlessPositions(bisection: Bisection): number[] {
  const { good, bad } = spanOf(bisection);
  return [...bisection.tested].flatMap(([position, verdict]) =>
    verdict === null && (position <= good || position >= bad) ? [position] : [],
  );
}

/**
 * The suspects, first and last: one of these commits turned the branch red. Null while one between is untested or runs.
 */
export function suspectsOf(bisection: Bisection): { first: number; last: number } | null {
  const { good, bad } = spanOf(bisection);
  for (let position = good + 1; position < bad; position += 1)
    if (!isJudged(bisection.tested.get(position))) return null;
  return { first: good + 1, last: bad };
}

const isJudged = (verdict: CulpritVerdict | null | undefined) => verdict !== undefined && verdict !== null;

/**
 * The next positions to test, at most `room`: they divide what is untested evenly, beside the builds that run. None
 * where everything is tested or runs.
 */
export function nextPositions(bisection: Bisection, room: number): number[] {
  const parts = untestedParts(bisection).map((positions) => ({ positions, points: 0 }));
  for (let count = 0; count < room; count += 1) {
    const [widest] = parts
      .filter(({ positions, points }) => points < positions.length)
      .sort((one, other) => widthOf(other) - widthOf(one));
    if (!widest) break;
    widest.points += 1;
  }
  return parts.flatMap(({ positions, points }) => evenly(positions, points));
}

/** Untested commits that one more point would divide; those of a part are between the same builds. */
const widthOf = ({ positions, points }: { positions: number[]; points: number }) => positions.length / (points + 1);

/** Untested positions of the span, a list for each stretch between builds that run. */
function untestedParts(bisection: Bisection): number[][] {
  const { good, bad } = spanOf(bisection);
  const parts: number[][] = [[]];
  for (let position = good + 1; position < bad; position += 1) {
    const verdict = bisection.tested.get(position);
    if (verdict === undefined) parts.at(-1)?.push(position);
    else if (verdict === null) parts.push([]);
  }
  return parts.filter((positions) => positions.length > 0);
}

/** So many of the positions, at equal distances; all of them where there are no more. */
function evenly(positions: readonly number[], points: number): number[] {
  return Array.from({ length: points }, (_, index) => {
    const place = Math.floor(((index + 1) * (positions.length + 1)) / (points + 1)) - 1;
    return positions[place] as number;
  });
}
