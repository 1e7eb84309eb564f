import type { Context } from '../../context.js';
import type { JobRow } from '../../entities/database.js';
import { cancelJob } from '../../operations/jobs/cancel.js';
import { deleteJobLog } from '../../operations/jobs/delete-log.js';
import { readJobEnv } from '../../operations/jobs/env.js';
import { getJob } from '../../operations/jobs/get.js';
import { listJobs } from '../../operations/jobs/list.js';
import { readJobLog } from '../../operations/jobs/read-log.js';
import { reprioritizeJob } from '../../operations/jobs/reprioritize.js';
import { retryJob } from '../../operations/jobs/retry.js';
import { unblockJob } from '../../operations/jobs/unblock.js';
import type { JobSubject } from '../../operations/subject.js';
import { readStretch } from '../cursor-page.js';
import { camelFields } from '../field-names.js';
import { presentJob } from '../present/job.js';
import { placeBuildById } from '../present/place.js';
import { type AlsoAnswers, listRoute, type QueryParameter, type Route, route } from '../route.js';
import { sendEnv } from '../send-env.js';
import { sendLog } from '../send-log.js';
import { ofBuild, ofJob } from './addresses.js';

const shown = (context: Context, { job }: JobSubject) => presentJob(context, job);

/** The reply to a retry shows the new job as it was made: scheduled, with `runnable_at` still null (api-v2.md, PUT retry). */
const shownNew = async (context: Context, subject: JobSubject) => ({ ...(await shown(context, subject)), runnable_at: null });

/** A part of a log, where a Range header asks for one (rest-facts 2.3.2). */
const parts = (contents: Record<string, 'Text'>): Record<number, AlsoAnswers> => ({
  206: { about: 'The part that was asked for.', contents, headers: { 'Content-Range': 'Which part this is.' } },
  416: { about: 'The log is empty.', contents: { 'application/json': 'Error' }, headers: { 'Content-Range': 'How much there is.' } },
});

/** A job's routes under one path: they are the same under its build and under its organization (rest-facts 2). */
function routesUnder(one: string, variant?: string): Route[] {
  const variantOf = (form: string) => (variant === undefined ? form : `${variant}.${form}`);
  return [
    route(getJob, { method: 'get', path: one, variant, input: ofJob, reply: { kind: 'object', status: 200, schema: 'Job', present: shown } }),
    route(retryJob, { method: 'put', path: `${one}/retry`, variant, input: ofJob, reply: { kind: 'object', status: 200, schema: 'Job', present: shownNew } }),
    route(cancelJob, { method: 'put', path: `${one}/cancel`, variant, input: ofJob, reply: { kind: 'object', status: 200, schema: 'Job', present: shown } }),
    route(reprioritizeJob, {
      method: 'put',
      path: `${one}/reprioritize`,
      variant,
      takesBody: true,
      input: (request) => ({ priority: request.body['priority'], ...ofJob(request) }),
      reply: { kind: 'object', status: 200, schema: 'Job', present: shown },
    }),
    route(unblockJob, {
      method: 'put',
      path: `${one}/unblock`,
      variant,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofJob(request) }),
      reply: { kind: 'object', status: 200, schema: 'Job', present: shown },
    }),
    route(readJobLog, {
      method: 'get',
      path: `${one}/log`,
      variant,
      input: ofJob,
      reply: { kind: 'stream', contents: { 'application/json': 'JobLog', 'text/plain': 'Text', 'text/html': 'Text' }, send: sendLog() },
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
    }),
    route(deleteJobLog, { method: 'delete', path: `${one}/log`, variant, input: ofJob, reply: { kind: 'empty' } }),
    route(readJobEnv, {
      method: 'get',
      path: `${one}/env`,
      variant,
      input: ofJob,
      reply: { kind: 'stream', contents: { 'application/json': 'JobEnv', 'text/plain': 'Text' }, send: sendEnv('negotiated') },
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
  { name: 'state', type: 'list', about: 'States as jobs show them; a running job that has promised to fail is found as failed.' },
  { name: 'step_key', type: 'list', about: 'Keys of steps.' },
  { name: 'group_key', type: 'list', about: 'Keys of groups of steps.' },
  { name: 'include_retried_jobs', type: 'boolean', about: 'Every attempt of a job (the default), or only the latest.' },
];

/** The jobs of a build in pipeline order, with cursors (rest-facts 2.3.2). */
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
  reply: { kind: 'cursor', schema: 'Job', present: async (context: Context, job: JobRow) => presentJob(context, job, await placeBuildById(context, job.buildId)) },
});

export const jobRoutes: Route[] = [
  jobsOfBuild,
  ...routesUnder('/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}'),
  ...routesUnder('/organizations/{org}/jobs/{job}', 'organization'),
];
