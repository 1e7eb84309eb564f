import fc from 'fast-check';
import {
  type CulpritVerdict,
  needlessPositions,
  nextPositions,
  spanOf,
  suspectsOf,
} from '../../../../src/domain/builds/culprit/bisection.js';

interface Branch {
  last: number;
  culprit: number;
  /** Positions that cannot be judged. */
  broken: ReadonlySet<number>;
}

const anyBranch: fc.Arbitrary<Branch> = fc.integer({ min: 1, max: 120 }).chain((last) =>
  fc.record({
    last: fc.constant(last),
    culprit: fc.integer({ min: 1, max: last }),
    broken: fc.uniqueArray(fc.integer({ min: 1, max: last }), { maxLength: last }).map((some) => new Set(some)),
  }),
);

const verdictOf = ({ culprit, broken }: Branch, position: number): CulpritVerdict => {
  if (broken.has(position)) return 'skipped';
  return position < culprit ? 'good' : 'bad';
};

/**
 * Searches a branch with as many builds at a time as `rooms` say, one after another and again; `choices` say which of
 * the builds that run ends next. Returns the suspects, and the positions in the order of their builds.
 */
function search(branch: Branch, rooms: readonly number[], choices: readonly number[]) {
  const tested = new Map<number, CulpritVerdict | null>();
  const builds: number[] = [];
  const bisection = { last: branch.last, tested };
  for (let round = 0; ; round += 1) {
    for (const position of needlessPositions(bisection)) tested.set(position, 'needless');
    const suspects = suspectsOf(bisection);
    if (suspects) return { suspects, builds, tested };
    const running = () => [...tested].flatMap(([position, verdict]) => (verdict === null ? [position] : []));
    const room = Math.max((rooms[round % rooms.length] ?? 1) - running().length, running().length === 0 ? 1 : 0);
    for (const position of nextPositions(bisection, room)) {
      expect(tested.has(position)).toBe(false);
      tested.set(position, null);
      builds.push(position);
    }
    const open = running();
    const ended = open[(choices[round % choices.length] ?? 0) % open.length];
    if (ended === undefined) throw new Error('nothing runs, and there is no answer');
    tested.set(ended, verdictOf(branch, ended));
  }
}

const rooms = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const choices = fc.array(fc.nat(50), { minLength: 1, maxLength: 20 });

describe('a bisection', () => {
  test('finds the first commit that fails, wherever it is, however many builds run and whichever ends first', () => {
    fc.assert(
      fc.property(anyBranch, rooms, choices, (branch, room, choice) => {
        const clean = { ...branch, broken: new Set<number>() };
        expect(search(clean, room, choice).suspects).toEqual({ first: branch.culprit, last: branch.culprit });
      }),
    );
  });

  test('names a range that contains the culprit, all of whose other commits cannot be judged', () => {
    fc.assert(
      fc.property(anyBranch, rooms, choices, (branch, room, choice) => {
        const { suspects, tested } = search(branch, room, choice);
        const { first, last } = suspects;
        expect(first).toBeLessThanOrEqual(branch.culprit);
        expect(last).toBeGreaterThanOrEqual(branch.culprit);
        // Before the range a commit passed, and the range ends with one that failed.
        expect(first === 1 || tested.get(first - 1) === 'good').toBe(true);
        expect(last === branch.last || tested.get(last) === 'bad').toBe(true);
        for (let position = first; position < last; position += 1) expect(tested.get(position)).toBe('skipped');
      }),
    );
  });

  test('with a build at a time takes no more builds than halving does', () => {
    fc.assert(
      fc.property(anyBranch, (branch) => {
        const { builds } = search({ ...branch, broken: new Set() }, [1], [0]);
        expect(builds.length).toBeLessThanOrEqual(Math.ceil(Math.log2(branch.last)));
      }),
    );
  });

  test('with several builds at a time takes as few rounds as dividing into one part more', () => {
    fc.assert(
      fc.property(anyBranch, fc.integer({ min: 1, max: 8 }), (branch, width) => {
        const tested = new Map<number, CulpritVerdict | null>();
        const bisection = { last: branch.last, tested };
        const clean = { ...branch, broken: new Set<number>() };
        let count = 0;
        for (; !suspectsOf(bisection); count += 1)
          for (const position of nextPositions(bisection, width)) tested.set(position, verdictOf(clean, position));
        // Less a rounding error of the logarithm.
        expect(count).toBeLessThanOrEqual(Math.ceil(Math.log(branch.last) / Math.log(width + 1) - 1e-9));
      }),
    );
  });

  test('divides what is untested beside the builds that run', () => {
    const between = (running: number[], room: number) =>
      nextPositions({ last: 12, tested: new Map(running.map((position) => [position, null])) }, room);
    expect(between([], 1)).toEqual([6]);
    expect(between([], 3)).toEqual([3, 6, 9]);
    expect(between([6], 2)).toEqual([3, 9]);
    expect(between([3], 1)).toEqual([7]);
    expect(nextPositions({ last: 3, tested: new Map() }, 9)).toEqual([1, 2]);
    expect(nextPositions({ last: 1, tested: new Map() }, 9)).toEqual([]);
  });

  test('takes a commit that passed after a failed one for a branch that was red before', () => {
    const tested = new Map<number, CulpritVerdict | null>([
      [4, 'bad'],
      [2, 'good'],
      [7, 'good'],
      [3, null],
      [9, null],
    ]);
    expect(spanOf({ last: 10, tested })).toEqual({ good: 2, bad: 4 });
    expect(needlessPositions({ last: 10, tested })).toEqual([9]);
    expect(suspectsOf({ last: 10, tested })).toBeNull();
  });
});
