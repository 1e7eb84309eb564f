import papaparse from 'papaparse';
import type { Data } from '../../support/both-surfaces.js';
import { samplesOf } from '../../support/prometheus-text.js';
import { type At, inAcme, list, lower, one, type Read } from './read.js';

const namedBuild = '{ number commit createdAt }';
const change = '{ from to }';

export const jobFailureFields = `uuid failure {
  exitStatus signal reason since ${namedBuild} lastPassed ${namedBuild}
  changed { commits agent ${change} queue ${change} step duration ${change} }
  excerpts { firstLine lastLine text kind }
  tests { name location message }
  lines { line text kind } cluster sameFailures
}`;

const build = (found: Data) =>
  found && { build_number: found.number, commit: found.commit, created_at: found.createdAt };

/** The failure of a job as /v2 has it. */
export function jobFailure(found: Data): Data {
  const { uuid, failure } = found;
  return {
    job_id: uuid,
    exit_status: failure.exitStatus,
    signal: failure.signal,
    reason: failure.reason,
    since: build(failure.since),
    last_passed: build(failure.lastPassed),
    changed: failure.changed,
    excerpts: failure.excerpts.map(({ firstLine, lastLine, text, kind }: Data) => ({
      first_line: firstLine,
      last_line: lastLine,
      text,
      kind: lower(kind),
    })),
    tests: failure.tests,
    lines: failure.lines.map(({ line, text, kind }: Data) => ({ line, text, kind: lower(kind) })),
    cluster: failure.cluster,
    same_failures: failure.sameFailures,
  };
}

const ofJob = one(
  ({ job: id }: At) => [
    `query ($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { ${jobFailureFields} } } }`,
    { id },
  ],
  'job',
  jobFailure,
);

/** A page of a search of logs as /v2 has it. */
export const logSearch = ({ matches, cursor, scannedBytes, complete }: Data): Data => ({
  matches: matches.map(({ buildNumber, pipelineSlug, jobUuid, ...line }: Data) => ({
    build_number: buildNumber,
    pipeline_slug: pipelineSlug,
    job_id: jobUuid,
    ...line,
  })),
  cursor,
  scanned_bytes: scannedBytes,
  complete,
});

export const logSearchFields =
  '{ matches { pipelineSlug buildNumber jobUuid line text url cluster } cursor scannedBytes complete }';

export const insightFields =
  'key builds failed durationP50 durationP90 durationP95 waitP50 waitP90 waitP95 retried agentSeconds cost ' +
  'logBytes artifactBytes agentsConnectedSeconds agentsBusyShare';

/** Figures as /v2 has them. */
export const insight = (found: Data): Data => ({
  key: found.key,
  builds: found.builds,
  failed: found.failed,
  duration_p50: found.durationP50,
  duration_p90: found.durationP90,
  duration_p95: found.durationP95,
  wait_p50: found.waitP50,
  wait_p90: found.waitP90,
  wait_p95: found.waitP95,
  retried: found.retried,
  agent_seconds: found.agentSeconds,
  cost: found.cost,
  log_bytes: found.logBytes,
  artifact_bytes: found.artifactBytes,
  agents_connected_seconds: found.agentsConnectedSeconds,
  agents_busy_share: found.agentsBusyShare,
});

/** The rows of a table, as /v2 has them in JSON. */
export function insightsOfTable(text: string, by: string): Data[] {
  const { data, errors, meta } = papaparse.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  if (errors.length > 0 || meta.fields?.[0] !== by) throw new Error(`no table by ${by}: ${text}`);
  return data.map(({ [by]: key, ...row }) => ({
    key,
    ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : Number(value)])),
  }));
}

const metricNames: Readonly<Record<string, string>> = {
  builds: 'builds',
  failed_builds: 'failed',
  retried_jobs: 'retried',
  agent_seconds: 'agent_seconds',
  cost: 'cost',
  log_bytes: 'log_bytes',
  artifact_bytes: 'artifact_bytes',
  agents_connected_seconds: 'agents_connected_seconds',
  agents_busy_share: 'agents_busy_share',
};

/** The rows that metrics are of, as /v2 has them in JSON; figures without a sample are null. */
export function insightsOfMetrics(text: string, by: string): Data[] {
  const rows = new Map<string, Data>();
  for (const { name, labels, value } of samplesOf(text)) {
    const { [by]: key = '', quantile, ...others } = labels;
    if (Object.keys(others).length > 0) throw new Error(`${name} has ${JSON.stringify(others)}`);
    const short = name.replace('slipway_insight_', '');
    const field = quantile
      ? `${short.replace('_seconds', '')}_p${Math.round(Number(quantile) * 100)}`
      : metricNames[short];
    const row = rows.get(key) ?? { ...nothing, key };
    rows.set(key, { ...row, [field ?? name]: value });
  }
  return [...rows.values()];
}

const mayLack = ['duration', 'wait'].flatMap((name) => ['p50', 'p90', 'p95'].map((share) => `${name}_${share}`));
const nothing = Object.fromEntries(
  [...mayLack, 'cost', 'agents_connected_seconds', 'agents_busy_share'].map((name) => [name, null]),
);

export const failureReads: Readonly<Record<string, Read>> = {
  '/organizations/{org}/insights': {
    graphql: () =>
      inAcme(`insights(by: QUEUE, from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z") { ${insightFields} }`),
    mapped: ({ organization }) => organization.insights.map(insight),
    query: '?by=queue&from=2026-01-01&to=2026-03-01',
  },
  '/organizations/{org}/insights.csv': {
    graphql: () =>
      inAcme(`insights(by: QUEUE, from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z") { ${insightFields} }`),
    mapped: ({ organization }) => organization.insights.map(insight),
    query: '?by=queue&from=2026-01-01&to=2026-03-01',
    of: ({ text }) => insightsOfTable(text, 'queue'),
  },
  '/organizations/{org}/insights/metrics': {
    graphql: () => inAcme(`insights(by: BRANCH, hours: 1) { ${insightFields} }`),
    mapped: ({ organization }) => organization.insights.map(insight),
    query: '?by=branch',
    of: ({ text }) => insightsOfMetrics(text, 'branch'),
  },
  '/organizations/{org}/logs/search': one(
    () => inAcme(`logSearch(text: "build", first: 1) ${logSearchFields}`),
    'organization.logSearch',
    logSearch,
    { query: '?q=build&per_page=1' },
  ),
  '/organizations/{org}/pipelines/{slug}/builds/{number}/failures': list(
    () => [
      `{ build(slug: "acme/app/1") { jobs(first: 30, passed: false, type: COMMAND) {
        edges { node { ... on JobTypeCommand { ${jobFailureFields} } } } } } }`,
    ],
    'build.jobs',
    jobFailure,
    { anyOrder: true },
  ),
  '/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}/failure': ofJob,
  '/organizations/{org}/jobs/{job}/failure': ofJob,
};
