import fc from 'fast-check';
import { artifactExpiry, dueKinds, latestFinish, type RetentionFacts } from '../../../src/domain/retention/due.js';
import {
  buildKinds,
  type KeepRule,
  type PipelineRetention,
  resolvePolicy,
} from '../../../src/domain/retention/policy.js';

const dayMs = 86_400_000;
const now = new Date('2026-06-01T00:00:00Z');
const finished = (days: number) => new Date(now.getTime() - days * dayMs);
const policyOf = (retention: PipelineRetention) => resolvePolicy(retention, null, {});

const old: RetentionFacts = {
  number: 1,
  branch: 'main',
  finishedAt: finished(100),
  hasLogs: true,
  hasArtifacts: true,
  isPinned: false,
  isLast: false,
  ofDefaultBranch: true,
  isNeeded: false,
};
/** Of a pipeline whose newest build has this number, without gaps. */
const among = (newest: number) => {
  const oldest = (count: number) => Math.max(0, newest - count + 1);
  return { pipeline: oldest, branch: oldest };
};
const dueOf = (retention: PipelineRetention, build: Partial<RetentionFacts> = {}, newest = 1_000) =>
  dueKinds(policyOf(retention), { ...old, ...build }, now, among(newest));

test.each<[string, PipelineRetention, Partial<RetentionFacts>, string[]]>([
  ['no rule keeps everything', {}, {}, []],
  ['an empty rule keeps everything', { builds: {} }, {}, []],
  ['an age deletes what is as old', { builds: { days: 100 } }, {}, ['builds']],
  ['an age keeps what is younger', { builds: { days: 101 } }, {}, []],
  ['a count deletes what is beyond', { builds: { count: 999 } }, {}, ['builds']],
  ['a count keeps the newest ones', { builds: { count: 1_000 } }, {}, []],
  ['both must allow it: the count does not', { builds: { days: 1, count: 1_000 } }, {}, []],
  ['both must allow it: the age does not', { builds: { days: 101, count: 1 } }, {}, []],
  ['both allow it', { builds: { days: 100, count: 999 } }, {}, ['builds']],
  ['what is not finished stays', { builds: { days: 1 } }, { finishedAt: null }, []],
  ['what is pinned stays', { builds: { days: 1 } }, { isPinned: true }, []],
  ['what is needed stays', { builds: { days: 1 } }, { isNeeded: true }, []],
  ['the last of a branch stays', { builds: { days: 1 } }, { isLast: true }, []],
  ['what is over for less than a day stays', { builds: { count: 1 } }, { finishedAt: finished(0.9) }, []],
  ['what is over for a day goes', { builds: { count: 1 } }, { finishedAt: finished(1) }, ['builds']],
  ['logs and artifacts go by themselves', { logs: { days: 30 }, artifacts: { days: 30 } }, {}, ['logs', 'artifacts']],
  ['logs that are gone do not go again', { logs: { days: 30 } }, { hasLogs: false }, []],
  ['artifacts that are gone do not go again', { artifacts: { days: 30 } }, { hasArtifacts: false }, []],
  ['a build that goes takes the rest along', { builds: { days: 90 }, logs: { days: 30 } }, {}, ['builds']],
  ['logs of the last of a branch stay', { logs: { days: 30 } }, { isLast: true }, []],
])('%s', (_title, retention, build, kinds) => {
  expect(dueOf(retention, build)).toEqual(kinds);
});

test('an override lets the last builds of its branches go, but never those of the default branch', () => {
  const retention = { builds: { days: 1 }, overrides: [{ branches: '*', last: false }] };
  expect(dueOf(retention, { isLast: true, branch: 'feature', ofDefaultBranch: false })).toEqual(['builds']);
  expect(dueOf(retention, { isLast: true })).toEqual([]);
});

test('an override counts the builds of the branch, and the pipeline those of all branches', () => {
  const retention = { builds: { count: 5 }, overrides: [{ branches: 'release/*', builds: { count: 5 } }] };
  const oldestOf = { pipeline: () => 50, branch: () => 20 };
  const due = (branch: string, number: number) =>
    dueKinds(policyOf(retention), { ...old, branch, number }, now, oldestOf).length > 0;
  expect([19, 20, 30].map((number) => due('release/1', number))).toEqual([true, false, false]);
  expect([19, 30, 50].map((number) => due('main', number))).toEqual([true, true, false]);
});

const rule: fc.Arbitrary<KeepRule> = fc.record(
  { days: fc.integer({ min: 1, max: 200 }), count: fc.integer({ min: 1, max: 50 }) },
  { requiredKeys: [] },
);
const rules = fc.record({ builds: rule, logs: rule, artifacts: rule }, { requiredKeys: [] });
const retentions: fc.Arbitrary<PipelineRetention> = rules.chain((own) =>
  fc
    .array(
      fc
        .tuple(rules, fc.constantFrom('*', 'main', 'feature/*'), fc.boolean())
        .map(([each, branches, last]) => ({ ...each, branches, last })),
      { maxLength: 3 },
    )
    .map((overrides) => ({ ...own, overrides })),
);
const builds: fc.Arbitrary<RetentionFacts> = fc.record({
  number: fc.integer({ min: 1, max: 100 }),
  branch: fc.constantFrom('main', 'feature/a', 'other'),
  finishedAt: fc.option(fc.integer({ min: 0, max: 300 }).map(finished)),
  hasLogs: fc.boolean(),
  hasArtifacts: fc.boolean(),
  isPinned: fc.boolean(),
  isLast: fc.boolean(),
  ofDefaultBranch: fc.boolean(),
  isNeeded: fc.boolean(),
});

describe('for every policy and build', () => {
  test('nothing goes of a build that is unfinished, pinned, needed, or the last of the default branch', () => {
    fc.assert(
      fc.property(retentions, builds, (retention, build) => {
        const stays =
          build.finishedAt === null || build.isPinned || build.isNeeded || (build.isLast && build.ofDefaultBranch);
        return !stays || dueKinds(policyOf(retention), build, now, among(100)).length === 0;
      }),
    );
  });

  test('what goes today goes tomorrow', () => {
    fc.assert(
      fc.property(retentions, builds, fc.integer({ min: 0, max: 100 }), (retention, build, more) => {
        const policy = policyOf(retention);
        const today = dueKinds(policy, build, now, among(100));
        const later = dueKinds(policy, build, new Date(now.getTime() + more * dayMs), among(100 + more));
        return today.every((kind) => later.includes(kind) || later.includes('builds'));
      }),
    );
  });

  test('a second rule of a kind never lets more go', () => {
    fc.assert(
      fc.property(builds, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 100 }), (build, days, count) => {
        const both = dueKinds(policyOf({ builds: { days, count } }), build, now, among(100));
        const either = [{ days }, { count }].map((each) =>
          dueKinds(policyOf({ builds: each }), build, now, among(100)),
        );
        return both.length === 0 || either.every((kinds) => kinds.length > 0);
      }),
    );
  });

  test('nothing goes of a build that finished after the latest finish', () => {
    fc.assert(
      fc.property(retentions, builds, (retention, build) => {
        const policy = policyOf(retention);
        const latest = latestFinish(policy, now);
        const kinds = dueKinds(policy, build, now, among(100));
        if (kinds.length === 0) return true;
        return latest !== null && build.finishedAt !== null && build.finishedAt <= latest;
      }),
    );
  });

  test('bytes go of a build that has them', () => {
    fc.assert(
      fc.property(retentions, builds, (retention, build) => {
        const kinds = dueKinds(policyOf(retention), build, now, among(100));
        expect(kinds.every((kind) => buildKinds.includes(kind))).toBe(true);
        return (!kinds.includes('logs') || build.hasLogs) && (!kinds.includes('artifacts') || build.hasArtifacts);
      }),
    );
  });
});

test('artifacts expire at the first moment at which age lets their bytes go, and never before', () => {
  const days = fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined });
  fc.assert(
    fc.property(days, days, (builds, artifacts) => {
      const retention: PipelineRetention = {
        ...(builds === undefined ? {} : { builds: { days: builds } }),
        ...(artifacts === undefined ? {} : { artifacts: { days: artifacts } }),
      };
      const policy = policyOf(retention);
      const goesAt = (ms: number) =>
        dueKinds(policy, { ...old, hasLogs: false, finishedAt: now }, new Date(ms), among(1_000)).length > 0;
      const expiry = artifactExpiry(policy, 'main', now);
      if (expiry === null) expect(goesAt(now.getTime() + 4_000 * dayMs)).toBe(false);
      else expect([goesAt(expiry.getTime() - 1), goesAt(expiry.getTime())]).toEqual([false, true]);
    }),
  );
});
