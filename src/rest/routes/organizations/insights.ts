import { type InsightGroup, insightGroups } from '../../../domain/builds/insights/insight.js';
import { isInsightTime } from '../../../domain/builds/insights/insight-times.js';
import { Problem } from '../../../domain/problem.js';
import { getInsights } from '../../../operations/organizations/get-insights.js';
import { presentInsight } from '../../present/organizations/insight.js';
import { sendInsightTable } from '../../replies/send-insight-table.js';
import { sendInsightMetrics } from '../../replies/send-insight-metrics.js';
import type { RestRequest } from '../../requests/request.js';
import { type QueryParameter, type Route, route, wholeListRoute } from '../../route.js';
import { inOrganization } from '../addresses.js';

const path = '/organizations/{org}/insights';

const grouping = (values: readonly InsightGroup[]): QueryParameter => ({
  name: 'by',
  type: 'string',
  values,
  description: 'Grouping of the figures, `pipeline` by default.',
});
const subjects: readonly QueryParameter[] = [
  { name: 'pipeline', type: 'string', description: 'Slug of the only pipeline.' },
  { name: 'branch', type: 'string', description: 'Name of the only branch.' },
  { name: 'queue', type: 'string', description: 'Key of the only queue, or `CLUSTER/QUEUE`.' },
  { name: 'step', type: 'string', description: 'Only step, `PIPELINE/STEP`.' },
];
const ofSubjects = (request: RestRequest) => ({
  ...inOrganization(request),
  by: request.text('by'),
  pipeline: request.text('pipeline'),
  branch: request.text('branch'),
  queue: request.text('queue'),
  step: request.text('step'),
});

/** Groups that are no times: each time would be a series of its own, and a scraper keeps times itself. */
const groupsOfMetrics = insightGroups.filter((group) => !isInsightTime(group));

function ofMetrics(request: RestRequest) {
  const { by, ...input } = ofSubjects(request);
  if (by === 'day' || by === 'hour')
    throw new Problem('invalid', `Metrics are by ${groupsOfMetrics.join(', ')}: whoever scrapes them keeps the times`);
  return { ...input, by, hours: request.integer('hours') ?? 1 };
}

const ofTimes: Pick<Route, 'query' | 'input'> = {
  query: [
    grouping(insightGroups),
    { name: 'from', type: 'time', description: 'Only builds created at or after this time; a week before `to`.' },
    { name: 'to', type: 'time', description: 'Only builds created before this time; now by default.' },
    {
      name: 'hours',
      type: 'integer',
      description: 'In place of both: only builds created in the last so many hours of UTC that are over.',
    },
    ...subjects,
  ],
  input: (request) => ({
    ...ofSubjects(request),
    from: request.time('from'),
    to: request.time('to'),
    hours: request.integer('hours'),
  }),
};

export const insightRoutes: Route[] = [
  wholeListRoute(getInsights, {
    method: 'get',
    path,
    ...ofTimes,
    reply: { kind: 'list', schema: 'Insight', present: presentInsight },
  }),
  route(getInsights, {
    method: 'get',
    path: `${path}.csv`,
    variant: 'csv',
    ...ofTimes,
    reply: { kind: 'stream', contents: { 'text/csv': 'Text' }, send: sendInsightTable },
  }),
  route(getInsights, {
    method: 'get',
    path: `${path}/metrics`,
    variant: 'metrics',
    query: [
      grouping(groupsOfMetrics),
      {
        name: 'hours',
        type: 'integer',
        description: 'Only builds created in the last so many hours of UTC that are over; 1 by default.',
      },
      ...subjects,
    ],
    input: ofMetrics,
    reply: { kind: 'stream', contents: { 'text/plain': 'Text' }, send: sendInsightMetrics },
  }),
];
