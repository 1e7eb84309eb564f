import type { Context } from '../../../request/context.js';
import { createSchedule } from '../../../operations/pipelines/schedules/create.js';
import { deleteSchedule } from '../../../operations/pipelines/schedules/delete.js';
import type { ScheduleSubject } from '../../../resources/pipelines/schedules/find-schedule.js';
import { getSchedule } from '../../../operations/pipelines/schedules/get.js';
import { listSchedules } from '../../../operations/pipelines/schedules/list.js';
import { updateSchedule } from '../../../operations/pipelines/schedules/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentPipelineSchedule } from '../../present/pipelines/pipeline-schedule.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inPipeline } from '../addresses.js';
import { bothWays } from '../both-ways.js';

const all = '/organizations/{org}/pipelines/{slug}/schedules';
const one = `${all}/{schedule}`;

const ofSchedule = (request: RestRequest) => ({
  pipelineSchedule: {
    organization: request.param('org'),
    pipeline: request.param('slug'),
    id: request.param('schedule'),
  },
});
const objectReply = {
  kind: 'object',
  status: 200,
  schema: 'PipelineSchedule',
  present: (context: Context, { pipelineSchedule }: ScheduleSubject) =>
    presentPipelineSchedule(context, pipelineSchedule),
} as const;

/** Schedules of a pipeline. */
export const pipelineScheduleRoutes: Route[] = [
  listRoute(listSchedules, {
    method: 'get',
    path: all,
    input: (request) => ({ ...inPipeline(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'PipelineSchedule', present: presentPipelineSchedule },
  }),
  route(createSchedule, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inPipeline(request) }),
    reply: { ...objectReply, status: 201 },
  }),
  route(getSchedule, { method: 'get', path: one, input: ofSchedule, reply: objectReply }),
  ...bothWays((method, variant) =>
    route(updateSchedule, {
      method,
      variant,
      path: one,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofSchedule(request) }),
      reply: objectReply,
    }),
  ),
  route(deleteSchedule, { method: 'delete', path: one, input: ofSchedule, reply: { kind: 'empty' } }),
];
