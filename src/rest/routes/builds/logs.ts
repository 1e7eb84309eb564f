import { searchOrganizationLogs } from '../../../operations/builds/logs/search.js';
import { presentLogSearch } from '../../present/builds/log-search.js';
import { readPage } from '../../replies/pagination.js';
import { type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';
import { logSearchPlaces } from '../../../domain/builds/logs/search/search-places.js';
import { jobListStates } from '../../../domain/builds/job-list-states.js';

export const logRoutes: Route[] = [
  route(searchOrganizationLogs, {
    method: 'get',
    path: '/organizations/{org}/logs/search',
    query: [
      {
        name: 'q',
        type: 'string',
        required: true,
        description:
          'Text to find in lines, in any case of its letters; with `regexp` a regular expression. It may be empty ' +
          'beside `cluster`.',
        example: 'error',
      },
      {
        name: 'in',
        type: 'string',
        values: logSearchPlaces,
        description:
          'Whole logs (`logs`, the default), or the lines that are kept of each failed job (`extracts`): what no ' +
          'passed run of its step has.',
      },
      {
        name: 'cluster',
        type: 'string',
        description: 'Only extracts of jobs that failed alike: the `cluster` of a line or failure.',
      },
      {
        name: 'regexp',
        type: 'boolean',
        description: 'Whether `q` is a regular expression (RE2, without named groups).',
      },
      { name: 'pipeline', type: 'string', description: 'Slug of the only pipeline.' },
      { name: 'branch', type: 'string', description: 'Only logs of builds of this branch; `*` matches any text.' },
      { name: 'state', type: 'list', values: jobListStates, description: 'Only logs of jobs in these states.' },
      { name: 'step', type: 'string', description: 'Only logs of jobs of the step with this key or label.' },
      { name: 'created_from', type: 'time', description: 'Only logs of jobs created at or after this time.' },
      { name: 'created_to', type: 'time', description: 'Only logs of jobs created before this time.' },
      { name: 'per_page', type: 'integer', description: 'Most lines of a reply, 1 to 100; 30 by default.' },
      { name: 'cursor', type: 'string', description: 'The `cursor` of the reply before: the search goes on there.' },
    ],
    input: (request) => ({
      ...inOrganization(request),
      q: request.text('q') ?? '',
      in: request.text('in') ?? 'logs',
      cluster: request.text('cluster'),
      regexp: request.flag('regexp'),
      pipeline: request.text('pipeline'),
      branch: request.text('branch'),
      shownStates: request.list('state'),
      step: request.text('step'),
      createdFrom: request.time('created_from'),
      createdTo: request.time('created_to'),
      perPage: readPage(request).perPage,
      cursor: request.text('cursor'),
    }),
    reply: { kind: 'object', status: 200, schema: 'LogSearch', present: presentLogSearch },
  }),
];
