import { listBuildNotifications } from '../../../operations/builds/notifications/list.js';
import { presentBuildNotification } from '../../present/builds/build-notification.js';
import { readStretch } from '../../replies/cursor-page.js';
import { listRoute, type Route } from '../../route.js';
import { ofBuild } from '../addresses.js';

/** What came of the `notify` entries of a build, newest first. */
export const buildNotificationRoutes: Route[] = [
  listRoute(listBuildNotifications, {
    method: 'get',
    path: '/organizations/{org}/pipelines/{slug}/builds/{number}/notifications',
    input: (request) => ({ ...ofBuild(request), paging: readStretch(request) }),
    reply: { kind: 'cursor', schema: 'BuildNotification', present: presentBuildNotification },
  }),
];
