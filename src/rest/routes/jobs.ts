import type { Context } from '../../context.js';
import { deleteJobLog } from '../../operations/jobs/delete-log.js';
import { readJobEnv } from '../../operations/jobs/env.js';
import { getJob } from '../../operations/jobs/get.js';
import { readJobLog } from '../../operations/jobs/read-log.js';
import { retryJob } from '../../operations/jobs/retry.js';
import { unblockJob } from '../../operations/jobs/unblock.js';
import type { JobSubject } from '../../operations/subject.js';
import { camelFields } from '../field-names.js';
import { presentJob } from '../present/job.js';
import { type AlsoAnswers, type Route, route } from '../route.js';
import { sendEnv } from '../send-env.js';
import { sendLog } from '../send-log.js';
import { ofJob } from './addresses.js';

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

export const jobRoutes: Route[] = [
  ...routesUnder('/organizations/{org}/pipelines/{slug}/builds/{number}/jobs/{job}'),
  ...routesUnder('/organizations/{org}/jobs/{job}', 'organization'),
];
