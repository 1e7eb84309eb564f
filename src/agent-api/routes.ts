import type { Json } from '../domain/pipelines/steps/step.js';
import { wrongState } from '../domain/problem.js';
import { connectAgent } from '../operations/agents/connect.js';
import { disconnectAgent } from '../operations/agents/disconnect.js';
import { heartbeatAgent } from '../operations/agents/heartbeat.js';
import { readAgentMetrics } from '../operations/agents/metrics.js';
import { pauseAgent } from '../operations/agents/pause.js';
import { pingAgent } from '../operations/agents/ping.js';
import { registerAgent } from '../operations/agents/register.js';
import { resumeAgent } from '../operations/agents/resume.js';
import { stopAgent } from '../operations/agents/stop.js';
import { createAnnotation } from '../operations/builds/annotations/create.js';
import { deleteAnnotation } from '../operations/builds/annotations/delete.js';
import { registerArtifacts } from '../operations/builds/artifacts/register.js';
import { searchArtifacts } from '../operations/builds/artifacts/search.js';
import { updateArtifactStates } from '../operations/builds/artifacts/update-states.js';
import { acceptJob } from '../operations/builds/jobs/accept.js';
import { acquireJob } from '../operations/builds/jobs/acquire.js';
import { appendLog } from '../operations/builds/logs/append.js';
import { finishJob } from '../operations/builds/jobs/finish.js';
import { promiseFailure } from '../operations/builds/jobs/promise-failure.js';
import { recordHeaderTimes } from '../operations/builds/logs/record-header-times.js';
import { readJobState } from '../operations/builds/jobs/read-state.js';
import { requestOidcToken } from '../operations/builds/jobs/request-oidc-token.js';
import { requestRepositoryToken } from '../operations/builds/jobs/request-repository-token.js';
import { startJob } from '../operations/builds/jobs/start.js';
import { createStepUpload } from '../operations/builds/step-uploads/create.js';
import { getStepUploadOutcome } from '../operations/builds/step-uploads/get-outcome.js';
import { cancelStep } from '../operations/builds/steps/cancel.js';
import { exportStep } from '../operations/builds/steps/export.js';
import { updateStep } from '../operations/builds/steps/update.js';
import { cancelOwnBuild } from '../operations/builds/cancel-own.js';
import { updateJobTimeout } from '../operations/builds/jobs/update-timeout.js';
import { identifyAgentToken } from '../operations/agents/agent-tokens/identify.js';
import { metaDataExists } from '../operations/builds/meta-data/exists.js';
import { getMetaData } from '../operations/builds/meta-data/get.js';
import { listMetaDataKeys } from '../operations/builds/meta-data/keys.js';
import { setMetaDataBatch } from '../operations/builds/meta-data/set-batch.js';
import { setMetaDataValue } from '../operations/builds/meta-data/set.js';
import { batchInput, foundArtifacts, registeredBatch, searchInput, statesInput } from './artifact-wire.js';
import { readSecret } from '../operations/agents/secrets/read.js';
import { type AgentRequest, type AgentRoute, route } from './route.js';
import { stackRoutes } from './stack-routes.js';
import {
  appliedUpload,
  heartbeat,
  jobPayload,
  metrics,
  ping,
  registration,
  tokenIdentity,
  uploadState,
} from './wire.js';

const job = ({ params }: AgentRequest) => ({ job: params['job'] });
const ofBuild = ({ params }: AgentRequest) => ({ build: params['build'] });
const number = (text: string | null) => (text !== null && /^\d{1,16}$/.test(text) ? Number(text) : text);

/** Empty words are words not said. */
const filled = (value: Json | undefined) => (value === '' ? undefined : value);

const session: AgentRoute[] = [
  route('post', '/register', registerAgent, {
    input: ({ json }) => ({
      name: json['name'],
      hostname: json['hostname'],
      os: json['os'],
      arch: json['arch'],
      version: json['version'],
      build: json['build'],
      pid: json['pid'],
      machineId: json['machine_id'],
      scriptEvalEnabled: json['script_eval_enabled'],
      ignoreInDispatches: json['ignore_in_dispatches'],
      priority: json['priority'],
      metaData: json['meta_data'],
      features: json['features'],
    }),
    reply: registration,
  }),
  route('post', '/connect', connectAgent, {}),
  route('post', '/heartbeat', heartbeatAgent, {
    reply: ({ receivedAt }, { json }) => heartbeat(json['sent_at'], receivedAt),
  }),
  route('get', '/ping', pingAgent, { reply: ping }),
  route('post', '/disconnect', disconnectAgent, {}),
  route('post', '/stop', stopAgent, { input: ({ json }) => ({ force: json['force'] }) }),
  route('post', '/pause', pauseAgent, {
    input: ({ json }) => ({ note: json['note'], timeoutInMinutes: json['timeout_in_minutes'] }),
  }),
  route('post', '/resume', resumeAgent, {}),
];

const jobs: AgentRoute[] = [
  route('put', '/jobs/:job/accept', acceptJob, { input: job, reply: jobPayload }),
  route('put', '/jobs/:job/acquire', acquireJob, { input: job, reply: jobPayload }),
  route('put', '/jobs/:job/start', startJob, {
    input: job,
    reply: (result) => {
      if (!result.started) throw wrongState(result.reason);
      return {};
    },
  }),
  route('get', '/jobs/:job', readJobState, { input: job, reply: ({ state }) => ({ state }) }),
  route('post', '/jobs/:job/chunks', appendLog, {
    body: 'bytes',
    status: 201,
    input: (request) => ({
      ...job(request),
      bytes: request.bytes,
      gzip: request.gzip,
      sequence: number(request.query.get('sequence')),
      offset: number(request.query.get('offset')),
      size: number(request.query.get('size')),
    }),
  }),
  route('post', '/jobs/:job/header_times', recordHeaderTimes, {
    input: (request) => ({ ...job(request), body: request.json }),
  }),
  route('post', '/jobs/:job/oidc/tokens', requestOidcToken, {
    input: (request) => ({
      ...job(request),
      audience: request.json['audience'],
      lifetime: request.json['lifetime'],
      claims: request.json['claims'],
      awsSessionTags: request.json['aws_session_tags'],
      subjectClaim: request.json['subject_claim'],
    }),
    reply: ({ token }) => ({ token }),
  }),
  // Agents before 3.136 know the second path only.
  ...['/jobs/:job/repository_access_token', '/jobs/:job/github_code_access_token'].map((path) =>
    route('post', path, requestRepositoryToken, {
      input: (request) => ({ ...job(request), repositoryUrl: request.json['repo_url'] }),
      reply: ({ token }) => ({ token }),
    }),
  ),
  route('get', '/jobs/:job/secrets', readSecret, {
    input: (request) => ({ ...job(request), key: request.query.get('key') ?? '' }),
    reply: ({ id, key, value }) => ({ key, value, uuid: id }),
  }),
  route('put', '/jobs/:job', updateJobTimeout, {
    input: (request) => ({ ...job(request), attributes: request.json }),
    reply: ({ id }) => ({ id }),
  }),
  route('put', '/jobs/:job/promise_failure', promiseFailure, {
    status: 204,
    input: (request) => ({ ...job(request), exitStatus: request.json['exit_status'], reason: request.json['reason'] }),
  }),
  route('put', '/jobs/:job/finish', finishJob, {
    input: (request) => ({
      ...job(request),
      exitStatus: request.json['exit_status'],
      signal: request.json['signal'],
      signalReason: request.json['signal_reason'],
      chunksFailedCount: request.json['chunks_failed_count'] ?? 0,
      ignoreAgentInDispatches: request.json['ignore_agent_in_dispatches'],
    }),
  }),
];

const step = ({ params, json }: AgentRequest) => ({ step: params['step'], build: filled(json['build_id']) });

const steps: AgentRoute[] = [
  route('post', '/steps/:step/export', exportStep, {
    input: (request) => ({
      ...step(request),
      attribute: filled(request.json['attribute']),
      format: filled(request.json['format']),
    }),
    reply: ({ output }) => ({ output }),
  }),
  route('put', '/steps/:step', updateStep, {
    input: (request) => ({
      ...step(request),
      uuid: filled(request.json['idempotency_uuid']),
      attribute: request.json['attribute'],
      value: request.json['value'],
      append: request.json['append'],
    }),
  }),
  route('post', '/steps/:step/cancel', cancelStep, {
    input: (request) => ({
      ...step(request),
      force: request.json['force'],
      forceGracePeriod: request.json['force_grace_period'],
    }),
    reply: ({ id }) => ({ uuid: id }),
  }),
  route('post', '/builds/:build/cancel', cancelOwnBuild, { input: ofBuild, reply: ({ id }) => ({ uuid: id }) }),
];

const uploads: AgentRoute[] = [
  // `?async=true` is answered like an upload without it: the steps are there once the reply is, so there is nothing to
  // poll.
  route('post', '/jobs/:job/pipelines', createStepUpload, {
    input: (request) => ({
      ...job(request),
      uuid: request.json['uuid'],
      pipeline: request.json['pipeline'],
      replace: request.json['replace'],
    }),
    reply: appliedUpload,
  }),
  route('get', '/jobs/:job/pipelines/:uuid', getStepUploadOutcome, {
    input: (request) => ({ ...job(request), uuid: request.params['uuid'] }),
    reply: uploadState,
  }),
];

const annotations: AgentRoute[] = [
  route('post', '/jobs/:job/annotations', createAnnotation, {
    status: 201,
    input: ({ params, json }) => ({
      of: { heldJob: params['job'], scope: filled(json['scope']) },
      body: filled(json['body']),
      context: filled(json['context']),
      style: filled(json['style']),
      priority: filled(json['priority']),
      append: filled(json['append']),
      looksAlone: true,
    }),
  }),
  route('delete', '/jobs/:job/annotations/:context', deleteAnnotation, {
    input: ({ params, query }) => ({
      annotation: { heldJob: params['job'], scope: query.get('scope') || undefined, context: params['context'] },
    }),
  }),
];

/** Reads of meta-data, for the build of a job and for a build itself. */
function metaDataReads(path: string, of: (request: AgentRequest) => unknown): AgentRoute[] {
  const key = (request: AgentRequest) => ({ of: of(request), key: request.json['key'] });
  return [
    route('post', `${path}/data/get`, getMetaData, {
      input: key,
      reply: ({ key: name, value }) => ({ key: name, value }),
    }),
    route('post', `${path}/data/exists`, metaDataExists, { input: key, reply: ({ exists }) => ({ exists }) }),
    route('post', `${path}/data/keys`, listMetaDataKeys, {
      input: (request) => ({ of: of(request) }),
      reply: (keys) => keys,
    }),
  ];
}

const metaData: AgentRoute[] = [
  route('post', '/jobs/:job/data/set', setMetaDataValue, {
    input: (request) => ({ of: job(request), key: request.json['key'], value: request.json['value'] }),
  }),
  route('post', '/jobs/:job/data/set-batch', setMetaDataBatch, {
    input: (request) => ({ of: job(request), items: request.json['items'] }),
  }),
  ...metaDataReads('/jobs/:job', job),
  ...metaDataReads('/builds/:build', ofBuild),
];

const artifacts: AgentRoute[] = [
  route('post', '/jobs/:job/artifacts', registerArtifacts, {
    status: 201,
    input: (request) => ({ ...job(request), ...batchInput(request.json) }),
    reply: registeredBatch,
  }),
  route('put', '/jobs/:job/artifacts', updateArtifactStates, {
    input: (request) => ({ ...job(request), ...statesInput(request.json) }),
  }),
  route('get', '/builds/:build/artifacts/search', searchArtifacts, {
    input: (request) => ({ ...ofBuild(request), ...searchInput(request.query) }),
    reply: foundArtifacts,
  }),
];

/** Shortest interval at which autoscalers poll the metrics. */
const metricsHeaders = { 'Buildkite-Agent-Metrics-Poll-Duration': '10' };

const counts: AgentRoute[] = [
  route('get', '/metrics', readAgentMetrics, {
    headers: metricsHeaders,
    reply: (output) => metrics(output, { withQueues: true }),
  }),
  route('get', '/token', identifyAgentToken, { reply: tokenIdentity }),
  route('get', '/metrics/queue', readAgentMetrics, {
    headers: metricsHeaders,
    input: ({ query }) => ({ queue: query.get('name') ?? '' }),
    reply: (output) => metrics(output, { withQueues: false }),
  }),
];

/** THE table of the agent protocol: method, path, operation, renaming, answer. */
export const agentRoutes: readonly AgentRoute[] = [
  ...session,
  ...jobs,
  ...uploads,
  ...steps,
  ...metaData,
  ...annotations,
  ...artifacts,
  ...counts,
  ...stackRoutes,
];
