import { readAge } from '../../../src/domain/retention/age.js';
import {
  daysOf,
  deletesNothing,
  organizationRetention,
  pipelineRetention,
  policyOfBranch,
  resolvePolicy,
} from '../../../src/domain/retention/policy.js';

test.each([
  ['90d', 90],
  ['2w', 14],
  ['1y', 365],
  [' 7d ', 7],
  ['0d', null],
  ['11y', null],
  ['90', null],
  ['1.5d', null],
  ['-1d', null],
  ['12h', null],
  ['', null],
])('the age %j is %j days', (text, days) => {
  expect(readAge(text)).toBe(days);
});

describe('levels of a policy', () => {
  const defaults = { builds: 365, logs: 90 };

  test('each kind is the word of the pipeline, else of the organization, else of the environment', () => {
    const [policy] = resolvePolicy({ logs: { count: 10 } }, { builds: { days: 30 } }, defaults);
    expect(policy).toEqual({
      branches: null,
      last: true,
      builds: { days: 30 },
      logs: { count: 10 },
      artifacts: {},
    });
  });

  test('an empty rule keeps everything, whatever the level above deletes', () => {
    const policy = resolvePolicy({ builds: {} }, { builds: { days: 1 }, logs: {} }, defaults);
    expect(deletesNothing(policy)).toBe(true);
    expect(deletesNothing(resolvePolicy(null, null, {}))).toBe(true);
    expect(deletesNothing(resolvePolicy(null, null, defaults))).toBe(false);
  });

  test('the first override whose patterns match counts, and takes from the pipeline what it does not name', () => {
    const policy = resolvePolicy(
      {
        builds: { days: 30 },
        overrides: [
          { branches: 'release/* !release/old', builds: {} },
          { branches: 'release/* feature/*', builds: { days: 7 }, last: false },
        ],
      },
      { logs: { days: 5 } },
      {},
    );
    const of = (branch: string) => policyOfBranch(policy, branch);
    expect(of('release/1')).toMatchObject({ builds: {}, logs: { days: 5 }, last: true });
    expect(of('release/old')).toMatchObject({ builds: { days: 7 }, last: false });
    expect(of('main')).toMatchObject({ builds: { days: 30 }, last: true });
  });

  test('runs and audit are of the organization, else of the environment', () => {
    expect(daysOf('runs', { runs: { days: 3 } }, { runs: 9 })).toBe(3);
    expect(daysOf('runs', { runs: {} }, { runs: 9 })).toBeNull();
    expect(daysOf('runs', {}, { runs: 9 })).toBe(9);
    expect(daysOf('audit', null, {})).toBeNull();
  });
});

describe('a policy as it is written', () => {
  test.each([
    [{}],
    [{ builds: {} }],
    [{ builds: { days: 90, count: 100 }, logs: { days: 30 }, artifacts: { count: 5 } }],
    [{ overrides: [{ branches: 'release/*', builds: {}, last: false }] }],
  ])('%j is a policy of a pipeline', (policy) => {
    expect(pipelineRetention.parse(policy)).toEqual(policy);
  });

  test('a field that is null is left out', () => {
    const written = { builds: { days: 1, count: null }, logs: null, overrides: [{ branches: 'x', last: null }] };
    expect(pipelineRetention.parse(written)).toEqual({ builds: { days: 1 }, overrides: [{ branches: 'x' }] });
  });

  test.each([
    [{ builds: { days: 0 } }, 'builds.days', 'must be a whole number from 1 to 3650'],
    [{ builds: { days: 1.5 } }, 'builds.days', 'must be a whole number from 1 to 3650'],
    [{ logs: { count: 100_001 } }, 'logs.count', 'must be a whole number from 1 to 100000'],
    [{ log: { days: 1 } }, 'log', 'is not a field; there is builds, logs, artifacts, overrides'],
    [{ logs: { day: 1 } }, 'logs.day', 'is not a field; there is days, count'],
    [{ logs: '90d' }, 'logs', 'must be an object with days, count or both'],
    [{ overrides: [{ builds: {} }] }, 'overrides.0.branches', 'missing'],
    [{ overrides: [{ branches: ' ' }] }, 'overrides.0.branches', "can't be blank"],
    [{ overrides: [{ branches: '!' }] }, 'overrides.0.branches', 'has a ! that negates nothing'],
    [{ overrides: Array.from({ length: 51 }, () => ({ branches: 'x' })) }, 'overrides', 'has more than 20 entries'],
  ])('%j is refused at %s', (policy, path, message) => {
    const { error } = pipelineRetention.safeParse(policy);
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[path, message]]);
  });

  test('a pipeline has no say about runs and audit, nor anybody about what does not exist', () => {
    expect(pipelineRetention.safeParse({ audit: { days: 1 } }).success).toBe(false);
    expect(organizationRetention.safeParse({ audit: { days: 1 }, runs: {} }).success).toBe(true);
    expect(organizationRetention.safeParse({ audit: { count: 1 } }).success).toBe(false);
    expect(organizationRetention.safeParse({ overrides: [] }).success).toBe(false);
  });
});
