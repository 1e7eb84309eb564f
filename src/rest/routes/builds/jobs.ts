import { jobListStates } from '../../../domain/builds/job-list-states.js';
import type { Context } from '../../../request/context.js';
import type { JobRow } from '../../../entities/database.js';
import { cancelJob } from '../../../operations/builds/jobs/cancel.js';
import { explainOneJob } from '../../../operations/builds/jobs/explain.js';
import { deleteJobLog } from '../../../operations/builds/logs/delete.js';
import { readJobFailure } from '../../../operations/builds/jobs/read-failure.js';
import { readJobEnv } from '../../../operations/builds/jobs/read-env.js';
import { getJob } from '../../../operations/builds/jobs/get.js';
import { type FailedJob, listJobFailures } from '../../../operations/builds/jobs/list-failures.js';
import { listJobs } from '../../../operations/builds/jobs/list.js';
import { readJobLog } from '../../../operations/builds/logs/read.js';
import { reprioritizeJob } from '../../../operations/builds/jobs/reprioritize.js';
import { retryJob } from '../../../operations/builds/jobs/retry.js';
import { unblockJob } from '../../../operations/builds/jobs/unblock.js';
import type { JobSubject } from '../../../core/subject.js';
import { readStretch } from '../../replies/cursor-page.js';
import { camelFields } from '../../requests/field-names.js';
import { presentJobExplanation } from '../../present/builds/explanation.js';
import { presentJobFailure } from '../../present/builds/failure.js';
import { presentJob } from '../../present/builds/job.js';
import { linkBuildById } from '../../present/linked-build.js';
import { type AlsoAnswers, listRoute, type QueryParameter, type Route, route } from '../../route.js';
import { sendEnv } from '../../replies/send-env.js';
import { sendLog } from '../../replies/send-log.js';
import { ofBuild, ofJob } from '../addresses.js';

const present = (context: Context, { job }: JobSubject) => presentJob(context, job);

/** The reply to a retry shows the new job as it was made: scheduled, with `runnable_at` still null. */
const newAttemptJson = async (context: Context, subject: JobSubject) => ({
  ...(await present(context, subject)),
  runnable_at: null,
});

/** A log that retention has deleted. */
const expired: Record<number, AlsoAnswers> = {
  410: { description: 'The log has expired.', contents: { 'application/json': 'ErrorReply' } },
};

/** A part of a log, where a Range header asks for one. */
const parts = (contents: Record<string, 'Text'>): Record<number, AlsoAnswers> => ({
  ...expired,
  206: {
    description: 'The requested part of the log.',
    contents,
    headers: { 'Content-Range': 'Position of the part in the log.' },
  },
  416: {
    description: 'The log is empty.',
    contents: { 'application/json': 'ErrorReply' },
    headers: { 'Content-Range': 'Size of the log.' },
  },
});

/** A job's routes under one path: they are the same under its build and under its organization. */
function routesUnder(one: string, variant?: string): Route[] {
  const variantOf = (form: string) => (variant === undefined ? form : `${variant}.${form}`);
  return [
    route(getJob, {
      method: 'get',
      path: one,
      variant,
      input: ofJob,
      reply: { kind: 'object', status: 200, schema: 'Job', present },
    }),
    route(explainOneJob, {
      method: 'get',
      path: `${one}/explanation`,
      variant,
      input: ofJob,
      reply: { kind: 'object', status: 200, schema: 'JobExplanation', present: presentJobExplanation },
    }),
    route(readJobFailure, {
      method: 'get',
      path: `${one}/failure`,
      variant,
      input: ofJob,
      reply: { kind: 'object', status: 200, schema: 'JobFailure', present: presentJobFailure },
    }),
    route(retryJob, {
      method: 'put',
      path: `${one}/retry`,
      variant,
      input: ofJob,
      reply: { kind: 'object', status: 200, schema: 'Job', present: newAttemptJson },
    }),
    route(cancelJob, {
      method: 'put',
      path: `${one}/cancel`,
      variant,
      input: ofJob,
      reply: { kind: 'object', status: 200, schema: 'Job', present },
    }),
    route(reprioritizeJob, {
      method: 'put',
      path: `${one}/reprioritize`,
      variant,
      takesBody: true,
      requires: ['priority'],
      input: (request) => ({ priority: request.body['priority'], ...ofJob(request) }),
      reply: { kind: 'object', status: 200, schema: 'Job', present },
    }),
    route(unblockJob, {
      method: 'put',
      path: `${one}/unblock`,
      variant,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofJob(request) }),
      reply: { kind: 'object', status: 200, schema: 'Job', present },
    }),
    route(readJobLog, {
      method: 'get',
      path: `${one}/log`,
      variant,
      input: ofJob,
      reply: {
        kind: 'stream',
        contents: { 'application/json': 'JobLog', 'text/plain': 'Text', 'text/html': 'Text' },
        send: sendLog(),
      },
      also: parts({ 'text/plain': 'Text' }),
    }),
    route(readJobLog, {
      method: 'get',
      path: `${one}/log.txt`,
      variant: variantOf('text'),
      input: ofJob,
      reply: { kind: 'stream', contents: { 'text/plain': 'Text' }, send: sendLog('text') },
      also: parts({ 'text/plain': 'Text' }),
    }),
    route(readJobLog, {
      method: 'get',
      path: `${one}/log.html`,
      variant: variantOf('html'),
      input: ofJob,
      reply: { kind: 'stream', contents: { 'text/html': 'Text' }, send: sendLog('html') },
      also: expired,
    }),
    route(deleteJobLog, { method: 'delete', path: `${one}/log`, variant, input: ofJob, reply: { kind: 'empty' } }),
    route(readJobEnv, {
      method: 'get',
      path: `${one}/env`,
      variant,
      input: ofJob,
      reply: {
        kind: 'stream',
        contents: { 'application/json': 'JobEnv', 'text/plain': 'Text' },
        send: sendEnv('negotiated'),
      },
    }),
    route(readJobEnv, {
      method: 'get',
      path: `${one}/env.txt`,
      variant: variantOf('text'),
      input: ofJob,
      reply: { kind: 'stream', contents: { 'text/plain': 'Text' }, send: sendEnv('text') },
    }),
  ];
}

const filters: readonly QueryParameter[] = [
  {
    name: 'state',
    type: 'list',
    values: jobListStates,
    description: 'Only jobs in these states. A running job whose agent announced a failure counts as `failed`.',
  },
  { name: 'step_key', type: 'list', description: 'Only jobs of the steps with these keys.' },
  { name: 'group_key', type: 'list', description: 'Only jobs of the group steps with these keys.' },
  {
    name: 'include_retried_jobs',
    type: 'boolean',
    description: 'Whether to list every attempt of a job (the default) or only the latest.',
  },
];

/** The jobs of a build in pipeline order, with cursors. */
const jobsOfBuild = listRoute(listJobs, {
  method: 'get',
  path: '/organizations/{org}/pipelines/{slug}/builds/{number}/jobs',
  query: filters,
  input: (request) => ({
    within: ofBuild(request),
    shownStates: request.list('state'),
    stepKeys: request.list('step_key'),
    groupKeys: request.list('group_key'),
    includeRetried: request.flag('include_retried_jobs'),
    order: 'pipeline',
    paging: readStretch(request),
  }),
  reply: {
    kind: 'cursor',
    schema: 'Job',
    present: async (context: Context, job: JobRow) =>
      presentJob(context, job, await linkBuildById(context, job.buildId)),
  },
});

/** The failures of a build in pipeline order, with cursors as its jobs have them. */
const failuresOfBuild = listRoute(listJobFailures, {
  method: 'get',
  path: '/organizations/{org}/pipelines/{slug}/builds/{number}/failures',
  input: (request) => ({ ...ofBuild(request), paging: readStretch(request) }),
  reply: {
    kind: 'cursor',
    schema: 'JobFailure',
    present: (context: Context, job: FailedJob) => presentJobFailure(context, { job, failure: job.failure }),
  },
});

export const jobRoutes: Route[] = [
  jobsOfBuild,
  failuresOfBuild,
  ...routesUnder('/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}'),
  ...routesUnder('/organizations/{org}/jobs/{job}', 'organization'),
];
