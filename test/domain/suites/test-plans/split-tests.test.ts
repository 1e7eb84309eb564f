import fc from 'fast-check';
import { comparablePath, prefixedPath } from '../../../../src/domain/suites/test-plans/file-path.js';
import { estimate, nodesOf, splitTests } from '../../../../src/domain/suites/test-plans/split-tests.js';
import type { PlannedTest, TestTarget, Timing } from '../../../../src/domain/suites/test-plans/test-plan.js';

const planned = (path: string, ms: number): PlannedTest => ({ format: 'file', path, estimate: ms, samples: 1 });
const loadOf = (tests: readonly PlannedTest[]) => tests.reduce((sum, each) => sum + each.estimate, 0);
const anyTests = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 90_000 })), { maxLength: 60 })
  .map((pairs) => pairs.map(([name, ms]) => planned(`spec/${name}_spec.rb`, ms)));
const anyNodes = fc.integer({ min: 1, max: 12 });

describe('splitting tests over nodes', () => {
  test('each test is on one node, and no node is missing', () => {
    fc.assert(
      fc.property(anyTests, anyNodes, (tests, nodes) => {
        const split = splitTests(tests, nodes);
        expect(split).toHaveLength(nodes);
        expect(new Set(split.flat())).toEqual(new Set(tests));
        expect(split.flat()).toHaveLength(tests.length);
      }),
    );
  });

  test('the longest node is within four thirds of the best there can be', () => {
    fc.assert(
      fc.property(anyTests, anyNodes, (tests, nodes) => {
        const longest = Math.max(0, ...splitTests(tests, nodes).map(loadOf));
        const sorted = tests.map((each) => each.estimate).sort((one, other) => other - one);
        // Lower bounds of what any split takes: its share, its longest test, and the two that must share a node.
        const shared = (sorted[nodes - 1] ?? 0) + (sorted[nodes] ?? 0);
        const least = Math.max(loadOf(tests) / nodes, sorted[0] ?? 0, sorted.length > nodes ? shared : 0);
        expect(longest).toBeLessThanOrEqual(least * (4 / 3) + 1);
      }),
    );
  });

  test('the order in which tests are named changes nothing but their order on a node', () => {
    fc.assert(
      fc.property(anyTests, anyNodes, (tests, nodes) => {
        const names = (split: PlannedTest[][]) => split.map((node) => node.map(({ path }) => path).sort());
        const distinct = [...new Map(tests.map((each) => [each.path, each])).values()];
        expect(names(splitTests([...distinct].reverse(), nodes))).toEqual(names(splitTests(distinct, nodes)));
      }),
    );
  });

  test('two hundred files of all lengths are within a tenth of the ideal on ten nodes', () => {
    // A few long files among many short ones, as suites have them.
    const tests = Array.from({ length: 200 }, (_, index) => planned(`${index}`, 200 + 40_000 / (1 + index)));
    const longest = Math.max(...splitTests(tests, 10).map(loadOf));
    expect(longest / Math.max(loadOf(tests) / 10, 40_200)).toBeLessThanOrEqual(1.1);
  });
});

describe('the estimates of a plan', () => {
  const file = (path: string): TestTarget => ({ format: 'file', path });
  const example = (path: string): TestTarget => ({ format: 'example', path });

  test('are its own history, else the median of its format, else a second', () => {
    const targets = [file('a'), file('b'), file('c'), example('d')];
    const timings = new Map<TestTarget, Timing>([
      [targets[0] as TestTarget, { ms: 1_500.4, samples: 3 }],
      [targets[1] as TestTarget, { ms: 2_500, samples: 1 }],
    ]);
    expect(estimate(targets, timings)).toEqual({
      tests: [
        { ...targets[0], estimate: 1_500, samples: 3 },
        { ...targets[1], estimate: 2_500, samples: 1 },
        { ...targets[2], estimate: 2_000, samples: 0 },
        { ...targets[3], estimate: 1_000, samples: 0 },
      ],
      timings: { file: { median: 2_000.2, default: 1_000 }, example: { median: null, default: 1_000 } },
      known: 0.5,
    });
  });

  test('of nothing are nothing', () => {
    expect(estimate([], new Map())).toEqual({ tests: [], timings: {}, known: null });
  });
});

describe('the number of nodes', () => {
  const tests = [planned('a', 60_000), planned('b', 60_000), planned('c', 30_000)];
  test.each([
    ['is what runs', { parallelism: 5, maxParallelism: null, targetTime: null }, 5],
    ['is what runs, whatever the target', { parallelism: 5, maxParallelism: null, targetTime: 60 }, 5],
    ['is the most that may run', { parallelism: 1, maxParallelism: 2, targetTime: null }, 2],
    ['is no more than there are tests', { parallelism: 1, maxParallelism: 9, targetTime: null }, 3],
    ['keeps to the target', { parallelism: 1, maxParallelism: 9, targetTime: 100 }, 2],
    ['keeps to the most before the target', { parallelism: 1, maxParallelism: 2, targetTime: 10 }, 2],
    ['is one at least', { parallelism: 1, maxParallelism: 9, targetTime: 86_400 }, 1],
  ])('%s', (_case, nodes, count) => {
    expect(nodesOf(nodes, tests)).toBe(count);
  });

  test('is none where nothing is to run', () => {
    expect(nodesOf({ parallelism: 4, maxParallelism: 4, targetTime: null }, [])).toBe(0);
    expect(nodesOf({ parallelism: 4, maxParallelism: null, targetTime: null }, [])).toBe(4);
  });
});

test.each([
  ['', './spec/a_spec.rb', 'spec/a_spec.rb'],
  ['apps/web', 'spec/a_spec.rb', 'apps/web/spec/a_spec.rb'],
  ['./apps/web/', './spec/a_spec.rb', 'apps/web/spec/a_spec.rb'],
  ['', 'example.com/module/package', 'example.com/module/package'],
])('below %j the path %s is compared as %s', (prefix, path, compared) => {
  expect(prefixedPath(prefix, path)).toBe(compared);
  expect(comparablePath(compared)).toBe(compared);
});
