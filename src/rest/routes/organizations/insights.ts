import { getInsights } from '../../../operations/organizations/get-insights.js';
import { insightGroups } from '../../../domain/builds/insights/insight.js';
import { presentInsight } from '../../present/organizations/insight.js';
import { type Route, wholeListRoute } from '../../route.js';
import { inOrganization } from '../addresses.js';

export const insightRoutes: Route[] = [
  wholeListRoute(getInsights, {
    method: 'get',
    path: '/organizations/{org}/insights',
    query: [
      {
        name: 'by',
        type: 'string',
        values: insightGroups,
        description: 'Grouping of the figures, `pipeline` by default.',
      },
      { name: 'from', type: 'time', description: 'Only builds created at or after this time; a week before `to`.' },
      { name: 'to', type: 'time', description: 'Only builds created before this time; now by default.' },
      { name: 'pipeline', type: 'string', description: 'Slug of the only pipeline.' },
      { name: 'branch', type: 'string', description: 'Name of the only branch.' },
      { name: 'queue', type: 'string', description: 'Key of the only queue, or `CLUSTER/QUEUE`.' },
      { name: 'step', type: 'string', description: 'Only step, `PIPELINE/STEP`.' },
    ],
    input: (request) => ({
      ...inOrganization(request),
      by: request.text('by'),
      from: request.time('from'),
      to: request.time('to'),
      pipeline: request.text('pipeline'),
      branch: request.text('branch'),
      queue: request.text('queue'),
      step: request.text('step'),
    }),
    reply: { kind: 'list', schema: 'Insight', present: presentInsight },
  }),
];
