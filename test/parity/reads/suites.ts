import type { Data, GraphqlCall } from '../../support/both-surfaces.js';
import { type At, byNodeId, inAcme, leftOut, list, lower, one, type Read } from './read.js';

const suiteFields = 'id uuid slug name url defaultBranch applicationName color emoji organization { uuid }';
const suite = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  organization_id: found.organization.uuid,
  slug: found.slug,
  name: found.name,
  url: leftOut.address,
  web_url: found.url,
  default_branch: found.defaultBranch,
  application_name: found.applicationName,
  color: found.color,
  emoji: found.emoji,
  oidc_policy: leftOut.always,
});

const runFields = 'uuid branch commit state result url createdAt build { uuid }';
const run = (found: Data) => ({
  id: found.uuid,
  branch: found.branch,
  commit_sha: found.commit,
  state: lower(found.state),
  result: lower(found.result),
  url: leftOut.address,
  web_url: found.url,
  build_id: found.build?.uuid ?? null,
  created_at: found.createdAt,
});

const executionFields =
  'uuid result duration failureReason failureExpanded { expanded backtrace } location createdAt tags { key value } run { uuid url branch commit message key } test { uuid name url }';
const execution = (found: Data) => ({
  execution_id: found.uuid,
  run_id: found.run.uuid,
  test_id: found.test.uuid,
  run_name: found.run.message ?? found.run.key,
  commit_sha: found.run.commit,
  created_at: found.createdAt,
  branch: found.run.branch,
  result: lower(found.result),
  failure_reason: found.failureReason,
  failure_expanded: found.failureExpanded,
  duration: found.duration,
  location: found.location,
  test_name: found.test.name,
  run_url: found.run.url,
  test_url: found.test.url,
  test_execution_url: `${found.test.url}#${found.uuid}`,
  tags: Object.fromEntries(found.tags.map(({ key, value }: Data) => [key, value])),
});
/** The list of failed executions does not repeat their result. */
const failedExecution = (found: Data) => ({ ...execution(found), result: undefined });

const metricsFields =
  'metrics { reliability durationAverage durationSum durationMinimum durationMaximum executionsCount countByResult { passed failed skipped pending unknown } }';
const nameFields = 'uuid scope name location fileName state stateUntil labels owners url';
const testFields = `${nameFields} ${metricsFields}`;
const test = ({ metrics, ...found }: Data) => ({
  id: found.uuid,
  url: leftOut.address,
  web_url: found.url,
  scope: found.scope,
  name: found.name,
  location: found.location,
  file_name: found.fileName,
  labels: found.labels,
  owners: found.owners,
  state_until: found.stateUntil,
  state: lower(found.state),
  reliability: metrics.reliability,
  duration_avg: metrics.durationAverage,
  duration_sum: metrics.durationSum,
  duration_min: metrics.durationMinimum,
  duration_max: metrics.durationMaximum,
  executions_count: metrics.executionsCount,
  executions_count_by_result: metrics.countByResult,
});

/** The deprecated list of flaky tests. */
const flakyTest = ({ flakiness, ...found }: Data) => ({
  id: found.uuid,
  web_url: found.url,
  scope: found.scope,
  name: found.name,
  location: found.location,
  file_name: found.fileName,
  instances: flakiness.commitsCount,
  latest_occurrence_at: flakiness.latestAt,
  most_recent_instance_at: flakiness.latestAt,
  last_resolved_at: flakiness.resolvedAt,
  ownership_team_ids: found.ownerTeams.map((team: Data) => team.uuid),
});

/** Other results than passed and failed ones are there where there are any. */
const buildTest = ({ test: named, metrics }: Data) => ({
  ...test({ ...named, metrics }),
  executions_count_by_result: Object.fromEntries(
    Object.entries(metrics.countByResult).filter(
      ([name, count]) => count !== 0 || name === 'passed' || name === 'failed',
    ),
  ),
});

const planFields = `identifier parallelism knownTimingsRatio mutedTests { scope name } skippedTests { scope name }
  timings { format medianDuration defaultDuration }
  nodes { number tests { format path identifier name scope estimatedDuration samplesCount } }`;
/** The other fields of what is planned are there where the client sent them. */
const planned = (found: Data) => ({
  path: found.path,
  format: lower(found.format),
  ...(found.format === 'SELECTOR' ? { value: found.path } : {}),
  ...Object.fromEntries(['identifier', 'name', 'scope'].filter((key) => found[key]).map((key) => [key, found[key]])),
  estimated_duration: found.estimatedDuration * 1000,
  timing_sample_size: found.samplesCount,
});
const milliseconds = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
const plan = (found: Data) => ({
  identifier: found.identifier,
  parallelism: found.parallelism,
  experiment: '',
  tasks: Object.fromEntries(
    found.nodes.map(({ number, tests: ofNode }: Data) => [number, { node_number: number, tests: ofNode.map(planned) }]),
  ),
  muted_tests: found.mutedTests,
  skipped_tests: found.skippedTests,
  timing_metadata: Object.fromEntries(
    found.timings.map(({ format, medianDuration, defaultDuration }: Data) => [
      lower(format),
      { median_duration: milliseconds(medianDuration), default_duration: milliseconds(defaultDuration) },
    ]),
  ),
  known_timings_ratio: found.knownTimingsRatio,
});

const inSuite = (selection: string) => (): GraphqlCall => [`{ suite(slug: "acme/rspec") { ${selection} } }`];
const inRun =
  (selection: string) =>
  ({ run: id }: At): GraphqlCall => [
    `query ($run: ID!) { suite(slug: "acme/rspec") { run(id: $run) { ${selection} } } }`,
    { run: id },
  ];
const tests = (filter: string) =>
  list(inSuite(`tests(first: 50${filter}) { edges { node { ${testFields} } } }`), 'suite.tests', test, {
    anyOrder: true,
  });

const all = '/analytics/organizations/{org}/suites';
const expanded = '?include_failure_expanded=true';

export const suiteReads: Readonly<Record<string, Read>> = {
  [all]: list(() => inAcme(`suites(first: 50) { edges { node { ${suiteFields} } } }`), 'organization.suites', suite, {
    anyOrder: true,
  }),
  '/analytics/organizations/{org}/builds/{build}/tests': list(
    ({ build }) => [
      `query ($build: ID!) { build(uuid: $build) { tests(first: 50) { edges { node { test { ${nameFields} } ${metricsFields} } } } } }`,
      { build },
    ],
    'build.tests',
    buildTest,
  ),
  [`${all}/{suite}`]: one(inSuite(suiteFields), 'suite', suite),
  [`${all}/{suite}/runs`]: list(inSuite(`runs(first: 50) { edges { node { ${runFields} } } }`), 'suite.runs', run),
  [`${all}/{suite}/runs/{run}`]: one(inRun(runFields), 'suite.run', run),
  [`${all}/{suite}/runs/{run}/executions`]: list(
    inRun(`executions(first: 50) { edges { node { ${executionFields} } } }`),
    'suite.run.executions',
    execution,
    { query: expanded },
  ),
  [`${all}/{suite}/runs/{run}/failed_executions`]: list(
    inRun(`executions(first: 50, result: FAILED) { edges { node { ${executionFields} } } }`),
    'suite.run.executions',
    failedExecution,
    { query: expanded },
  ),
  [`${all}/{suite}/test_plan`]: {
    graphql: inSuite(`testPlan(identifier: "build/step") { ${planFields} }`),
    mapped: ({ suite: { testPlan } }) => plan(testPlan),
    query: '?identifier=build%2Fstep',
  },
  [`${all}/{suite}/tests`]: tests(''),
  [`${all}/{suite}/flaky-tests`]: list(
    inSuite(
      `tests(first: 50, flaky: true) { edges { node { ${nameFields} ownerTeams { uuid } flakiness { since latestAt commitsCount resolvedAt } } } }`,
    ),
    'suite.tests',
    flakyTest,
    { anyOrder: true },
  ),
  [`${all}/{suite}/test-ownership`]: one(
    inSuite('testOwnership { content storedAt }'),
    'suite.testOwnership',
    (found: Data) => ({ content: found.content, stored_at: found.storedAt }),
  ),
  [`${all}/{suite}/tests/muted`]: tests(', state: MUTED'),
  [`${all}/{suite}/tests/skipped`]: tests(', state: SKIPPED'),
  [`${all}/{suite}/tests/{test}`]: byNodeId('SuiteTest', 'SuiteTest', (at) => at['test'], testFields, test),
  [`${all}/{suite}/tests/{test}/executions`]: list(
    ({ test: id }) => [
      `query ($id: ID!) { node(id: $id) { ... on SuiteTest { executions(first: 50) { edges { node { ${executionFields} } } } } } }`,
      { id: Buffer.from(`SuiteTest---${id}`).toString('base64') },
    ],
    'node.executions',
    execution,
    { query: expanded },
  ),
};
