import type { BuildState } from '../../../src/domain/builds/build-state.js';
import {
  intermediateBuilds,
  type IntermediateBuild,
  type IntermediateBuildSettings,
} from '../../../src/domain/builds/intermediate-builds.js';

const off: IntermediateBuildSettings = {
  skipQueuedBranchBuilds: false,
  skipQueuedBranchBuildsFilter: null,
  cancelRunningBranchBuilds: false,
  cancelRunningBranchBuildsFilter: null,
};
const both = { ...off, skipQueuedBranchBuilds: true, cancelRunningBranchBuilds: true };
/** A branch filter sufficient for these tests. */
const matches = (filter: string, branch: string) =>
  filter.startsWith('!') ? filter.slice(1) !== branch : filter === branch;
const earlier = (state: BuildState, over: Partial<IntermediateBuild> = {}): IntermediateBuild => ({
  id: state,
  number: 1,
  branch: 'main',
  state,
  blockedState: null,
  ...over,
});
const decide = (settings: IntermediateBuildSettings, ...others: IntermediateBuild[]) =>
  intermediateBuilds({ number: 9, branch: 'main' }, others, settings, matches);

test('a newer build skips earlier builds that have not started, cancels running ones and leaves ended ones alone', () => {
  const states: BuildState[] = [
    'creating',
    'scheduled',
    'running',
    'failing',
    'passed',
    'failed',
    'blocked',
    'canceling',
    'canceled',
    'skipped',
    'not_run',
  ];
  expect(decide(both, ...states.map((state) => earlier(state)))).toEqual({
    skip: ['creating', 'scheduled'],
    cancel: ['running', 'failing'],
  });
});

test('skipping and canceling intermediate builds are separate settings', () => {
  const builds = [earlier('scheduled'), earlier('running')];
  expect(decide({ ...both, cancelRunningBranchBuilds: false }, ...builds)).toEqual({ skip: ['scheduled'], cancel: [] });
  expect(decide({ ...both, skipQueuedBranchBuilds: false }, ...builds)).toEqual({ skip: [], cancel: ['running'] });
  expect(decide(off, ...builds)).toEqual({ skip: [], cancel: [] });
});

test('an earlier blocked build is canceled only if its block state is running', () => {
  const blocked = (['passed', 'failed', 'running'] as const).map((kept) =>
    earlier('blocked', { id: kept, blockedState: kept }),
  );
  expect(decide(both, ...blocked).cancel).toEqual(['running']);
});

test('builds of other branches, newer builds and the build itself are not superseded', () => {
  expect(
    decide(
      both,
      earlier('running', { branch: 'dev' }),
      earlier('running', { number: 9 }),
      earlier('scheduled', { number: 10 }),
    ),
  ).toEqual({ skip: [], cancel: [] });
});

test('branch filters limit which builds are superseded, and an empty filter matches every branch', () => {
  const builds = [earlier('scheduled'), earlier('running')];
  const filtered = (filter: string) =>
    decide({ ...both, skipQueuedBranchBuildsFilter: filter, cancelRunningBranchBuildsFilter: filter }, ...builds);
  expect(filtered('!main')).toEqual({ skip: [], cancel: [] });
  expect(filtered('main')).toEqual({ skip: ['scheduled'], cancel: ['running'] });
  expect(filtered(' ')).toEqual({ skip: ['scheduled'], cancel: ['running'] });
  expect(decide({ ...both, skipQueuedBranchBuildsFilter: 'dev' }, ...builds)).toEqual({
    skip: [],
    cancel: ['running'],
  });
});
