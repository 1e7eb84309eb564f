import { both, below, byId, org, pipeline, build, suites, suite, type WriteOnBoth } from './write.js';

const jobPaths = [`${build}/jobs/{job}`, `${org}/jobs/{job}`];
export const builds: readonly WriteOnBoth[] = [
  both(
    `post ${pipeline}/builds`,
    'buildCreate',
    (at) => ({ pipelineID: at['pipeline'], commit: 'HEAD', branch: 'main' }),
    { commit: 'HEAD', branch: 'main' },
  ),
  both(`put ${build}/cancel`, 'buildCancel', byId('build')),
  both(`put ${build}/rebuild`, 'buildRebuild', byId('build')),
  both(`put ${build}/pin`, 'buildPin', (at) => ({ id: at['build'], reason: 'x' }), { reason: 'x' }),
  both(`delete ${build}/pin`, 'buildUnpin', byId('build')),
  both(`post ${build}/culprit-searches`, 'culpritSearchCreate', (at) => ({ buildID: at['build'] }), {}),
  both(`put ${pipeline}/culprit-searches/{search}/cancel`, 'culpritSearchCancel', byId('search')),
  both(`put ${build}/retry_failed_jobs`, 'buildRetryFailedJobs', byId('build'), {}),
  ...below(jobPaths, (path) => both(`put ${path}/retry`, 'jobTypeCommandRetry', byId('job'))),
  ...below(jobPaths, (path) => both(`put ${path}/cancel`, 'jobTypeCommandCancel', byId('job'))),
  ...below(jobPaths, (path) =>
    both(`put ${path}/reprioritize`, 'jobTypeCommandReprioritize', (at) => ({ id: at['job'], priority: 7 }), {
      priority: 7,
    }),
  ),
  ...below(jobPaths, (path) =>
    both(
      `put ${path.replace('{job}', '{block}')}/unblock`,
      'jobTypeBlockUnblock',
      (at) => ({ id: at['block'], fields: { version: '1' } }),
      { fields: { version: '1' } },
    ),
  ),
  ...below(jobPaths, (path) => both(`delete ${path}/log`, 'jobLogDelete', byId('job'))),
  both(`post ${build}/annotations`, 'buildAnnotate', (at) => ({ buildID: at['build'], body: 'x', context: 'new' }), {
    body: 'x',
    context: 'new',
  }),
  ...below(jobPaths, (path) =>
    both(`post ${path}/annotations`, 'jobAnnotate', (at) => ({ jobId: at['job'], body: 'x', context: 'new' }), {
      body: 'x',
      context: 'new',
    }),
  ),
  ...below([build, ...jobPaths], (path) =>
    both(`delete ${path}/annotations/{annotation}`, 'annotationDelete', byId('annotation')),
  ),
  ...below([build, ...jobPaths], (path) =>
    both(`delete ${path}/artifacts/{artifact}`, 'artifactDelete', byId('artifact')),
  ),
];

export const suiteWrites: readonly WriteOnBoth[] = [
  both(`post ${suites}`, 'suiteCreate', (at) => ({ organizationID: at['acme'], name: 'New', defaultBranch: 'main' }), {
    name: 'New',
    default_branch: 'main',
  }),
  both(`patch ${suite}`, 'suiteUpdate', (at) => ({ id: at['suiteId'], name: 'x' }), { name: 'x' }),
  both(
    `put ${suite}/execution-tags`,
    'suiteExecutionTagsUpdate',
    (at) => ({
      id: at['suiteId'],
      executions: [{ id: at['execution'], tags: [{ key: 'mut.reason', value: 'timeout' }] }],
    }),
    (at) => ({ executions: [{ id: at['execution'], tags: { 'mut.reason': 'timeout' } }] }),
  ),
  both(
    `post ${suite}/test_plan`,
    'suiteTestPlanCreate',
    (at) => ({ id: at['suiteId'], identifier: 'build/step', parallelism: 2, files: ['a'] }),
    { identifier: 'build/step', parallelism: 2, tests: { files: [{ path: 'a' }] } },
  ),
  both(
    `post ${suite}/test_plan_metadata`,
    'suiteTestPlanReport',
    (at) => ({ id: at['suiteId'], identifier: 'build/step', node: 0 }),
    { env: { BUILDKITE_TEST_ENGINE_IDENTIFIER: 'build/step', BUILDKITE_PARALLEL_JOB: 0 } },
  ),
  both(
    `post ${suite}/workflows`,
    'suiteWorkflowCreate',
    (at) => ({ id: at['suiteId'], name: 'New', monitor: { type: 'NEW_TEST' } }),
    { name: 'New', monitor: { type: 'new_test' } },
  ),
  both(`patch ${suite}/workflows/{workflow}`, 'suiteWorkflowUpdate', (at) => ({ id: at['workflow'], name: 'x' }), {
    name: 'x',
  }),
  both(
    `post ${suite}/workflows/{workflow}/events/{event}/deliveries/{delivery}/redeliver`,
    'suiteWorkflowRedeliver',
    (at) => ({ id: at['workflow'], event: at['workflowEvent'], delivery: at['workflowDelivery'] }),
  ),
  both(`delete ${suite}/workflows/{workflow}`, 'suiteWorkflowDelete', byId('workflow')),
  both(`delete ${suite}`, 'suiteDelete', byId('suiteId')),
  both(
    `patch ${suite}/tests/{test}/labels`,
    'suiteTestLabel',
    (at) => ({ id: at['test'], operator: 'ADD', labels: ['a'] }),
    { operator: 'add', labels: ['a'] },
  ),
  ...Object.entries({ skip: 'SKIPPED', mute: 'MUTED', enable: 'ENABLED' }).map(([verb, state]) =>
    both(`put ${suite}/tests/{test}/${verb}`, 'suiteTestUpdate', (at) => ({ id: at['test'], state })),
  ),
];
