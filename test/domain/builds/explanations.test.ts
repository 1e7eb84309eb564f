import {
  type BuildExplanationReason,
  type BuildToExplain,
  explainBuild,
} from '../../../src/domain/builds/explanations/build-explanation.js';
import { explainGroup, type GroupMember } from '../../../src/domain/builds/explanations/group-explanation.js';
import { BuildHolds } from '../../../src/domain/builds/explanations/held-by.js';
import {
  explainJob,
  type JobExplanationReason,
  type JobFacts,
  type JobToExplain,
} from '../../../src/domain/builds/explanations/job-explanation.js';
import { explainQueue, type QueueAgent } from '../../../src/domain/builds/explanations/queue-explanation.js';
import { jobStates } from '../../../src/domain/builds/job-state.js';
import { supersededReason } from '../../../src/domain/builds/intermediate-builds.js';
import type { ScheduledJob, ScheduledStep } from '../../../src/domain/builds/schedule-facts.js';

const job = (fields: Partial<JobToExplain>): JobToExplain => ({
  ...{ id: 'job', buildId: 'build', stepId: 'step', type: 'command', state: 'scheduled', brokenReason: null },
  ...{ agentQueryRules: [], timeoutInMinutes: null, triggeredBuildId: null },
  ...{ concurrencyGroup: null, concurrencyLimit: null, concurrencyMethod: 'ordered' },
  ...fields,
});
const explain = (fields: Partial<JobToExplain>, facts: Partial<JobFacts> = {}) =>
  explainJob(job(fields), { stepName: ({ key, id }) => key ?? id, ...facts });

const because = (reason: string) => ({ stop: { type: 'job.cancel', reason } });

test.each<[string, Partial<JobToExplain>, Partial<JobFacts>, JobExplanationReason | null, RegExp | null]>([
  ['a running job', { state: 'running' }, {}, null, null],
  ['a job that ended', { state: 'finished' }, {}, null, null],
  ['an unblocked block', { type: 'block', state: 'unblocked' }, {}, null, null],
  ['a reached block', { type: 'block', state: 'blocked' }, { holds: undefined }, null, null],
  ['an offered job', { state: 'assigned' }, {}, 'agent_starting', /offered/],
  ['a job without a queue', { agentQueryRules: ['queue=x'] }, {}, 'no_queue', /no queue "x"/],
  ['a running trigger', { type: 'trigger', state: 'running' }, {}, 'triggered_build', /has not finished/],
  ['a trigger before its build', { type: 'trigger' }, {}, 'triggered_build', /in a moment/],
  ['a skipped step', { state: 'broken', brokenReason: 'skipped' }, {}, 'skip', /^The step is skipped\.$/],
  ['a skip with a reason', { state: 'broken', brokenReason: 'why not' }, {}, 'skip', /: why not$/],
  ['another branch', { state: 'broken', brokenReason: 'branch_mismatch' }, {}, 'branches', /branches/],
  ['a false condition', { state: 'broken', brokenReason: 'conditional_failed' }, {}, 'condition', /"if"/],
  ['no parallelism', { state: 'broken', brokenReason: 'parallelism_zero' }, {}, 'parallelism_zero', /0/],
  ['a canceled build', { state: 'canceled' }, because('build_canceled'), 'build_canceled', /build was canceled/],
  ['a failing build', { state: 'canceled' }, because('build_failing'), 'build_failing', /failing/],
  ['a skipped build', { state: 'skipped' }, because('build_skipped'), 'build_skipped', /newer/],
  ['a canceled step', { state: 'canceled' }, because('step_canceled'), 'canceled', /A job of the build/],
  ['a person', { state: 'canceled' }, because('canceled by request'), 'canceled', /^Canceled by request\.$/],
  ['nobody knows why', { state: 'canceled' }, {}, 'canceled', /^The job was canceled\.$/],
  ['a cancel not yet confirmed', { state: 'canceling' }, because('build_canceled'), 'agent_stopping', /stopping it\.$/],
  ['an expired job', { state: 'expired' }, {}, 'expired', /expired/],
  ['a timeout', { state: 'timed_out', timeoutInMinutes: 1 }, {}, 'timed_out', /its 1 minute\.$/],
  [
    'a timeout of more',
    { state: 'timing_out', timeoutInMinutes: 5 },
    {},
    'agent_stopping',
    /its 5 minutes\. Its agent/,
  ],
  [
    'a lost agent',
    { state: 'finished' },
    { stop: { type: 'job.lose_agent', reason: null } },
    'agent_lost',
    /sign of life/,
  ],
  [
    'a trigger without a build',
    { type: 'trigger', state: 'finished', triggeredBuildId: null },
    { stop: { type: 'job.fail', reason: 'Trigger steps may be chained at most 10 deep' } },
    'trigger_failed',
    /could not be created: Trigger steps may be chained at most 10 deep\.$/,
  ],
  [
    'a trigger whose build failed',
    { type: 'trigger', state: 'finished', triggeredBuildId: 'b' },
    { stop: { type: 'job.fail', reason: 'triggered build failed' } },
    'trigger_failed',
    /did not pass\.$/,
  ],
])('%s is explained', (_name, fields, facts, reason, message) => {
  const explained = explain(fields, facts);
  expect(explained?.reason ?? null).toBe(reason);
  if (message) expect(explained?.message).toMatch(message);
});

test('every state of a job that has not run to its end has an explanation, once its facts are there', () => {
  const holds = new BuildHolds({ steps: [step('step')], jobs: [at('step', 'waiting')] });
  const queue = { key: 'default', paused: false, pausedNote: null, agents: [], stacks: [] };
  const unexplained = jobStates.filter((state) => explain({ state, concurrencyGroup: 'g' }, { holds, queue }) === null);
  expect(unexplained).toEqual(['unblocked', 'unblocked_failed', 'running', 'finished']);
});

const agent = (activity: QueueAgent['activity'], ...metaData: string[]): QueueAgent => ({ activity, metaData });

test.each<[string, QueueAgent[], string[], string, string]>([
  ['no agent', [], [], 'no_agents', 'The queue "q" has no connected agent.'],
  ['no such tag', [agent('free')], ['os=x'], 'no_matching_agents', 'The queue "q" has no agent with the tag os=x.'],
  [
    'tags on different agents',
    [agent('free', 'queue=q', 'a=1'), agent('free', 'queue=q', 'b=2')],
    ['queue=q', 'a=1', 'b=2'],
    'no_matching_agents',
    'The queue "q" has no agent with the tags a=1, b=2 together.',
  ],
  [
    'one of two tags missing',
    [agent('free', 'a=1')],
    ['a=1', 'b=2'],
    'no_matching_agents',
    'The queue "q" has no agent with the tag b=2.',
  ],
  ['a free one', [agent('busy'), agent('free')], [], 'dispatch', 'A free agent can run the job'],
  ['one busy', [agent('busy')], [], 'agents_busy', 'The agent that matches is busy with other jobs.'],
  [
    'all busy or paused',
    [agent('busy'), agent('paused'), agent('free', 'queue=other')],
    [],
    'agents_busy',
    'All 2 agents that match are busy with other jobs or paused.',
  ],
  ['a stopping one', [agent('stopping')], [], 'agents_paused', 'The agent that matches is stopping.'],
])('a queue with %s is explained', (_name, agents, rules, reason, message) => {
  const explained = explainQueue(rules, { key: 'q', paused: false, pausedNote: null, agents, stacks: [] });
  expect(explained.reason).toBe(reason);
  expect(explained.message).toContain(message);
});

test.each<[string, QueueAgent[], string]>([
  ['no agent', [], 'stack'],
  ['agents of other tags', [agent('busy', 'os=y')], 'stack'],
  ['an agent that could run the job', [agent('busy', 'os=x')], 'agents_busy'],
])('of a queue that a stack serves and that has %s, the explanation names the stack first', (_name, agents, reason) => {
  const queue = { key: 'q', paused: false, pausedNote: null, agents, stacks: ['k8s'] };
  expect(explainQueue(['os=x'], queue).reason).toBe(reason);
});

test('a paused queue comes before everything about its agents', () => {
  const queue = { key: 'q', paused: true, agents: [], stacks: [] };
  expect(explainQueue([], { ...queue, pausedNote: null }).message).toBe('The queue "q" is paused.');
  expect(explainQueue([], { ...queue, pausedNote: 'Lunch' }).message).toBe('The queue "q" is paused: Lunch');
});

const member = (id: string, state: GroupMember['state'], buildId = 'other'): GroupMember => ({ id, buildId, state });
const grouped = (concurrencyMethod: 'ordered' | 'eager', concurrencyLimit: number) =>
  job({ state: 'limited', concurrencyGroup: 'g', concurrencyLimit, concurrencyMethod });

test.each<[string, JobToExplain, GroupMember[], string[], RegExp]>([
  ['full', grouped('ordered', 1), [member('a', 'running'), member('job', 'limited')], ['a'], /its slot is taken/],
  ['full of two', grouped('eager', 2), [member('a', 'running'), member('b', 'scheduled')], ['a', 'b'], /all 2 slots/],
  [
    'in order',
    grouped('ordered', 2),
    [member('a', 'running'), member('b', 'waiting'), member('job', 'limited'), member('c', 'limited')],
    ['b'],
    /others come first/,
  ],
  ['not in order', grouped('eager', 2), [member('a', 'running'), member('b', 'waiting')], [], /free slot/],
  [
    'behind its own build',
    grouped('ordered', 1),
    [member('b', 'waiting', 'build'), member('job', 'limiting')],
    [],
    /free slot/,
  ],
])('a concurrency group that is %s is explained', (_name, waiting, members, jobIds, message) => {
  const explained = explainGroup(waiting, members);
  expect(explained.jobIds).toEqual(jobIds);
  expect(explained.message).toMatch(message);
});

test('a circle over a trigger and a concurrency group is named', () => {
  const members = [member('close', 'waiting', 'parent'), member('job', 'limited', 'build')];
  const explained = (waitingBuilds: string[]) =>
    explainGroup(grouped('ordered', 1), members, new Set(waitingBuilds)).message;
  expect(explained(['parent'])).toMatch(/of the build that triggered this one and waits for its end: neither goes on/);
  expect(explained(['stranger'])).not.toMatch(/neither/);
});

function step(id: string, fields: Partial<ScheduledStep> = {}): ScheduledStep {
  return {
    ...{ id, key: id, type: 'command', groupId: null, dependsOn: null, allowDependencyFailure: false },
    ...{ continueOnFailure: false, blockedState: null, softFail: false, uploadedByStepId: null },
    ...fields,
  } as ScheduledStep;
}
function at(stepId: string, state: ScheduledJob['state'], fields: Partial<ScheduledJob> = {}): ScheduledJob {
  return {
    ...{ id: `${stepId}-job`, stepId, type: 'command', state, passed: state === 'finished' ? false : null },
    ...{ softFailed: false, retried: false, started: false, hasConcurrency: false },
    ...{ promisedFailure: false, cancelOnBuildFailing: false },
    ...fields,
  };
}
const on = (...keys: string[]) => ({ dependsOn: keys.map((key) => ({ step: key, allowFailure: false })) });
const wait = (id: string) => step(id, { type: 'wait' });
const block = (id: string) => step(id, { type: 'block' });

test.each<[string, ScheduledStep[], ScheduledJob[], Partial<Record<string, string[] | boolean>>]>([
  ['nothing', [step('x')], [at('x', 'waiting')], {}],
  [
    'a step two waits before',
    [step('a'), wait('w'), wait('v'), step('x')],
    [
      at('a', 'running'),
      at('w', 'waiting', { type: 'wait' }),
      at('v', 'waiting', { type: 'wait' }),
      at('x', 'waiting'),
    ],
    { unfinished: ['a'] },
  ],
  [
    'an unfinished step, not one that passed',
    [step('a'), step('b'), step('x', on('a', 'b'))],
    [at('a', 'finished', { passed: true }), at('b', 'scheduled'), at('x', 'waiting')],
    { unfinished: ['b'] },
  ],
  [
    'a reached block',
    [block('b'), step('x')],
    [at('b', 'blocked', { type: 'block' }), at('x', 'blocked')],
    { blocks: ['b'] },
  ],
  [
    'what a block that is not reached waits for',
    [step('a'), block('b'), step('x')],
    [at('a', 'running'), at('b', 'waiting', { type: 'block' }), at('x', 'blocked')],
    { unfinished: ['a'] },
  ],
  [
    'the members of a group',
    [step('g', { type: 'group' }), step('a', { groupId: 'g' }), step('x', on('g'))],
    [at('a', 'running'), at('x', 'waiting')],
    { unfinished: ['a'] },
  ],
  [
    'the first failure behind others that it stopped',
    [step('a'), step('b', on('a')), step('x', on('b'))],
    [at('a', 'finished'), at('b', 'waiting_failed'), at('x', 'waiting_failed')],
    { failed: ['a'] },
  ],
  [
    'no failure that is allowed',
    [step('a'), step('b'), step('x', { ...on('a', 'b'), allowDependencyFailure: true })],
    [at('a', 'finished'), at('b', 'running'), at('x', 'waiting')],
    { unfinished: ['b'] },
  ],
  [
    'a canceled step also where failures are allowed',
    [step('a'), step('x', { ...on('a'), allowDependencyFailure: true })],
    [at('a', 'canceled'), at('x', 'waiting_failed')],
    { failed: ['a'] },
  ],
  [
    'a retry of a failed job',
    [step('a'), step('x', on('a'))],
    [at('a', 'finished', { retried: true }), at('a', 'running'), at('x', 'waiting')],
    { unfinished: ['a'] },
  ],
  ['a missing key', [step('x', on('nowhere'))], [at('x', 'waiting')], { missing: ['nowhere'] }],
  [
    'itself',
    [step('x', on('y')), step('y', on('x'))],
    [at('x', 'waiting_failed'), at('y', 'waiting_failed')],
    { cycle: true },
  ],
])('a step is held by %s', (_name, steps, jobs, expected) => {
  const { unfinished, blocks, failed, missing, cycle } = new BuildHolds({ steps, jobs }).of('x');
  const ids = (list: ScheduledStep[]) => list.map(({ id }) => id);
  expect({ unfinished: ids(unfinished), blocks: ids(blocks), failed: ids(failed), missing, cycle }).toEqual({
    ...{ unfinished: [], blocks: [], failed: [], missing: [], cycle: false },
    ...expected,
  });
});

test('a message names three steps and counts the rest, and an explanation names at most twenty jobs', () => {
  const before = Array.from({ length: 30 }, (_, index) => step(`s${index}`));
  const holds = new BuildHolds({
    steps: [...before, wait('w'), step('x')],
    jobs: [...before.map(({ id }) => at(id, 'running')), at('w', 'waiting', { type: 'wait' }), at('x', 'waiting')],
  });
  const explained = explain({ state: 'waiting', stepId: 'x' }, { holds });
  expect(explained?.message).toBe('Waits for the end of "s0", "s1", "s2", 27 more.');
  expect(explained?.jobIds).toHaveLength(20);
});

test.each<[Partial<BuildToExplain>, string | null, BuildExplanationReason | null, string | null]>([
  [{ state: 'running' }, null, null, null],
  [{ state: 'failed' }, null, null, null],
  [{ state: 'skipped' }, supersededReason('newer'), 'superseded', 'newer'],
  [{ state: 'canceled', cancelReason: 'x' }, supersededReason('newer'), 'superseded', 'newer'],
  [{ state: 'canceling', cancelReason: 'The branch was deleted' }, 'x', 'canceled', null],
  [{ state: 'canceled', canceledById: 'ada' }, null, 'canceled', null],
  [{ state: 'blocked' }, null, 'unblock', null],
  [{ state: 'not_run' }, null, 'not_run', null],
])('a build %o, stopped because of %s, is explained as %s', (fields, stopReason, reason, supersededById) => {
  const build: BuildToExplain = { state: 'running', cancelReason: null, canceledById: null, ...fields };
  const explained = explainBuild(build, { stopReason, reachedBlocks: [] });
  expect(explained?.reason ?? null).toBe(reason);
  expect(explained?.supersededById ?? null).toBe(supersededById);
});
