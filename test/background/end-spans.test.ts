import { type EndedBuild, type EndedJob, spanOfBuild, spanOfJob } from '../../src/channels/open-telemetry/end-spans.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 2) + seconds * 1000);
const names = {
  buildId: '01989aa0-0000-7000-8000-00000000000b',
  number: 7,
  commit: 'c0ffee',
  branch: 'main',
  source: 'api',
  organizationId: 'o',
  organizationSlug: 'acme',
  pipelineId: 'p',
  pipelineSlug: 'app',
  pipelineName: 'App',
  repository: 'https://github.com/acme/app.git',
};
const build: EndedBuild = {
  ...names,
  traceparent: null,
  state: 'passed',
  message: 'm'.repeat(300),
  createdAt: at(0),
  finishedAt: at(60),
  formerEnds: 0,
  formerlyEndedAt: null,
};
const job: EndedJob = {
  ...names,
  traceparent: null,
  id: '01989aa0-0000-7000-8000-000000000001',
  type: 'command',
  state: 'finished',
  passed: false,
  softFailed: false,
  label: null,
  stepKey: 'unit',
  exitStatus: 1,
  signalReason: null,
  attempt: 1,
  retriedInJobId: null,
  createdAt: at(0),
  runnableAt: at(1),
  startedAt: at(4),
  finishedAt: at(9),
  agentId: 'a',
  agentName: 'agent-1',
  queueKey: 'default',
  clusterName: 'Linux',
};
const base = 'https://ci.example.com';

test('the spans of a build that a caller created in its trace are below the caller’s, and as sampled as it is', () => {
  const [traceId, spanId] = ['a'.repeat(32), 'b'.repeat(16)];
  const of = (flags: string) => ({ traceparent: `00-${traceId}-${spanId}-${flags}` });
  expect(spanOfBuild({ ...build, ...of('01') }, base)).toMatchObject({
    traceId,
    spanId: spanOfBuild(build, base).spanId,
    parentSpanId: spanId,
    isSampledByCaller: true,
  });
  expect(spanOfJob({ ...job, ...of('00') }, base)).toMatchObject({
    traceId,
    parentSpanId: spanOfBuild(build, base).spanId,
    isSampledByCaller: false,
  });
  expect(spanOfBuild(build, base)).toMatchObject({ parentSpanId: null, isSampledByCaller: null });
});

test('a build that a retry has reopened ends in a stage of its own, below the span that was sent', () => {
  const first = spanOfBuild(build, base);
  const again = spanOfBuild({ ...build, finishedAt: at(90), formerEnds: 1, formerlyEndedAt: at(60) }, base);
  const third = spanOfBuild({ ...build, finishedAt: at(99), formerEnds: 2, formerlyEndedAt: at(90) }, base);
  expect(first).toMatchObject({ parentSpanId: null, startedAt: at(0), endedAt: at(60), error: null });
  expect(again).toMatchObject({ traceId: first.traceId, parentSpanId: first.spanId, startedAt: at(60) });
  expect(again.attributes['buildkite.build.stage']).toBe(2);
  expect(new Set([first.spanId, again.spanId, third.spanId]).size).toBe(3);
  expect(String(first.attributes['buildkite.build.message'])).toHaveLength(255);
});

test.each([
  ['a failure', {}, 'failure', 'exit_status_1', 'exit_status_1'],
  ['a soft failure, which is no error', { softFailed: true }, 'failure', 'exit_status_1', null],
  ['success', { passed: true, exitStatus: 0 }, 'success', null, null],
  ['an agent that was lost', { exitStatus: -1 }, 'error', 'agent_lost', 'agent_lost'],
  ['a refusal', { exitStatus: -1, signalReason: 'agent_refused' }, 'error', 'agent_refused', 'agent_refused'],
  ['a timeout', { state: 'timed_out' }, 'timeout', 'timeout', 'timeout'],
  ['a canceled job', { state: 'canceled', exitStatus: null }, 'cancellation', null, null],
  ['a job that was left out', { state: 'broken', exitStatus: null }, 'skip', null, null],
] as const)(
  'the span of a job says by the names of the conventions how it ended: %s',
  (_what, fields, result, type, error) => {
    const span = spanOfJob({ ...job, ...fields }, base);
    expect(span.attributes['cicd.pipeline.task.run.result']).toBe(result);
    expect(span.attributes['error.type']).toBe(type);
    expect(span.error).toBe(error);
    expect(span).toMatchObject({ name: 'unit', startedAt: at(1), endedAt: at(9), parentSpanId: '800000000000000b' });
    expect(span.attributes['cicd.pipeline.task.run.url.full']).toBe(`${base}/acme/app/builds/7#${job.id}`);
  },
);
