import { getEvent } from '../../../operations/builds/events/get.js';
import { listEvents } from '../../../operations/builds/events/list.js';
import { readStretch } from '../../replies/cursor-page.js';
import { presentEvent } from '../../present/builds/event.js';
import { listRoute, type Route, route } from '../../route.js';
import { ofBuild } from '../addresses.js';

const all = '/organizations/{org}/pipelines/{slug}/builds/{number}/events';

/** The history of a build and its jobs, oldest first; ours. */
export const eventRoutes: Route[] = [
  listRoute(listEvents, {
    method: 'get',
    path: all,
    query: [{ name: 'job', type: 'id', description: 'ID of a job: only events of this job.' }],
    input: (request) => ({ ...ofBuild(request), job: request.text('job') || undefined, paging: readStretch(request) }),
    reply: { kind: 'cursor', schema: 'Event', present: presentEvent },
  }),
  route(getEvent, {
    method: 'get',
    path: `${all}/{build_event}`,
    input: (request) => ({ ...ofBuild(request), id: request.param('build_event') }),
    reply: { kind: 'object', status: 200, schema: 'Event', present: presentEvent },
  }),
];
