import type { SentEvent } from '../../domain/integrations/notification-events.js';
import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { objectAt, textAt } from '../build-facts.js';

const types: Readonly<Partial<Record<SentEvent, string>>> = {
  'build.scheduled': 'Build Created',
  'build.running': 'Build Started',
  'build.failing': 'Build Failing',
  'build.finished': 'Build Finished',
  'build.skipped': 'Build Finished',
  'job.scheduled': 'Job Scheduled',
  'job.started': 'Job Started',
  'job.finished': 'Job Finished',
  'job.activated': 'Job Activated',
  'job.promised_exit_status': 'Job Promised Exit Status',
  'agent.connected': 'Agent Connected',
  'agent.lost': 'Agent Lost',
  'agent.disconnected': 'Agent Disconnected',
  'agent.stopping': 'Agent Stopping',
  'agent.stopped': 'Agent Stopped',
  'agent.blocked': 'Agent Blocked',
  'cluster_token.registration_blocked': 'Cluster Token Registration Blocked',
};

/** `detail-type` of an event, as rules on the bus match it. */
export function detailType(event: SentEvent, payload: JsonObject): string {
  if (event === 'build.finished' && objectAt(payload, 'build')['blocked'] === true) return 'Build Blocked';
  return types[event] ?? event;
}

/** Times have the form that rules and functions for the hosted service parse: `2026-01-31 06:01:16 UTC`. */
const time = (value: JsonObject, name: string): string | null =>
  textAt(value, name)
    ?.replace('T', ' ')
    .replace(/(\.\d+)?Z$/, ' UTC') ?? null;
const of = (value: JsonObject, name: string): Json => value[name] ?? null;

/** States whose word in these events is another than in payloads. */
const buildState = (build: JsonObject): Json => {
  if (build['blocked'] === true) return 'blocked';
  return build['state'] === 'running' ? 'started' : of(build, 'state');
};

/** States of jobs there, where `passed` is a member of its own; a job that promises its exit status runs on. */
const jobState = (job: JsonObject): Json => {
  const state = of(job, 'state');
  if (state === 'passed' || state === 'failed' || state === 'unblocked') return 'finished';
  return state === 'running' && !('promised_exit_status' in job) ? 'started' : state;
};

/** The agent that ran a job, once it has ended. */
const agentOfJob = (job: JsonObject): JsonObject => {
  const agent = objectAt(job, 'agent');
  return of(job, 'finished_at') !== null && 'id' in agent ? { agent: { uuid: of(agent, 'id') } } : {};
};

/** The compact `detail` of an event; the build's meta-data only if asked for. */
export function detailOf(
  payload: JsonObject,
  organization: JsonObject,
  { metaData }: { metaData: boolean },
): JsonObject {
  const detail: JsonObject = { version: 1 };
  if ('job' in payload) detail['job'] = jobDetail(objectAt(payload, 'job'));
  if ('build' in payload) detail['build'] = buildDetail(objectAt(payload, 'build'), metaData);
  if ('pipeline' in payload) detail['pipeline'] = pipelineDetail(objectAt(payload, 'pipeline'));
  if ('agent' in payload) detail['agent'] = agentDetail(objectAt(payload, 'agent'));
  else if ('job' in payload) Object.assign(detail, agentOfJob(objectAt(payload, 'job')));
  for (const name of ['promised_exit_status_reason', 'blocked_ip'])
    if (name in payload) detail[name] = of(payload, name);
  if ('cluster_token' in payload) detail['cluster_token'] = tokenDetail(objectAt(payload, 'cluster_token'));
  return { ...detail, organization };
}

function buildDetail(build: JsonObject, metaData: boolean): JsonObject {
  return {
    uuid: of(build, 'id'),
    graphql_id: of(build, 'graphql_id'),
    number: of(build, 'number'),
    commit: of(build, 'commit'),
    message: of(build, 'message'),
    branch: of(build, 'branch'),
    state: buildState(build),
    blocked_state: of(build, 'blocked_state'),
    source: of(build, 'source'),
    started_at: time(build, 'started_at'),
    failing_at: time(build, 'failing_at'),
    finished_at: time(build, 'finished_at'),
    ...(metaData ? { meta_data: of(build, 'meta_data') } : {}),
  };
}

function jobDetail(job: JsonObject): JsonObject {
  const state = of(job, 'state');
  return {
    uuid: of(job, 'id'),
    graphql_id: of(job, 'graphql_id'),
    type: of(job, 'type'),
    label: of(job, 'name') ?? of(job, 'label'),
    step_key: of(job, 'step_key'),
    command: of(job, 'command'),
    agent_query_rules: of(job, 'agent_query_rules'),
    exit_status: of(job, 'exit_status'),
    signal_reason: of(job, 'signal_reason'),
    passed: state === 'passed' || state === 'unblocked',
    soft_failed: of(job, 'soft_failed'),
    state: jobState(job),
    broken_reason: of(job, 'broken_reason'),
    runnable_at: time(job, 'runnable_at'),
    started_at: time(job, 'started_at'),
    finished_at: time(job, 'finished_at'),
    unblocked_by: of(job, 'unblocked_by'),
    retried_in_job_id: of(job, 'retried_in_job_id'),
    ...('promised_exit_status' in job
      ? {
          promised_exit_status: of(job, 'promised_exit_status'),
          promised_exit_status_at: time(job, 'promised_exit_status_at'),
        }
      : {}),
  };
}

function pipelineDetail(pipeline: JsonObject): JsonObject {
  return {
    uuid: of(pipeline, 'id'),
    graphql_id: of(pipeline, 'graphql_id'),
    slug: of(pipeline, 'slug'),
    repo: of(pipeline, 'repository'),
  };
}

function tokenDetail(token: JsonObject): JsonObject {
  return {
    uuid: of(token, 'id'),
    description: of(token, 'description'),
    allowed_ip_addresses: of(token, 'allowed_ip_addresses'),
  };
}

function agentDetail(agent: JsonObject): JsonObject {
  return {
    uuid: of(agent, 'id'),
    graphql_id: of(agent, 'graphql_id'),
    connection_state: of(agent, 'connection_state'),
    name: of(agent, 'name'),
    version: of(agent, 'version'),
    ip_address: of(agent, 'ip_address'),
    hostname: of(agent, 'hostname'),
    priority: of(agent, 'priority'),
    meta_data: of(agent, 'meta_data'),
    connected_at: time(agent, 'created_at'),
  };
}
