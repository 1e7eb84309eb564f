import type { Context } from '../../../request/context.js';
import { getNotificationDelivery } from '../../../operations/integrations/notification-deliveries/get.js';
import { listNotificationDeliveries } from '../../../operations/integrations/notification-deliveries/list.js';
import { redeliverNotification } from '../../../operations/integrations/notification-deliveries/redeliver.js';
import { createNotificationService } from '../../../operations/integrations/notification-services/create.js';
import { deleteNotificationService } from '../../../operations/integrations/notification-services/delete.js';
import { disableNotificationService } from '../../../operations/integrations/notification-services/disable.js';
import { enableNotificationService } from '../../../operations/integrations/notification-services/enable.js';
import type { NotificationServiceSubject } from '../../../resources/integrations/notification-services/find-service.js';
import { getNotificationService } from '../../../operations/integrations/notification-services/get.js';
import { listNotificationServices } from '../../../operations/integrations/notification-services/list.js';
import { pingNotificationService } from '../../../operations/integrations/notification-services/ping.js';
import { updateNotificationService } from '../../../operations/integrations/notification-services/update.js';
import { readStretch } from '../../replies/cursor-page.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import {
  presentDeliveryWithPayload,
  presentNotificationDelivery,
  presentNotificationService,
} from '../../present/integrations/notification-service.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const services = '/organizations/{org}/services';
const one = `${services}/{service}`;
const deliveries = `${one}/deliveries`;

const ofService = (request: RestRequest) => ({
  service: { organization: request.param('org'), id: request.param('service') },
});
const ofDelivery = (request: RestRequest) => ({ ...ofService(request), id: request.param('delivery') });
const present = (context: Context, { service }: NotificationServiceSubject) =>
  presentNotificationService(context, service);
const reply = { kind: 'object', status: 200, schema: 'NotificationService', present } as const;

/** Routes of outgoing webhooks and their deliveries. */
export const notificationServiceRoutes: Route[] = [
  listRoute(listNotificationServices, {
    method: 'get',
    path: services,
    input: (request) => ({ ...inOrganization(request), paging: readStretch(request) }),
    reply: { kind: 'cursor', schema: 'NotificationService', present: presentNotificationService },
  }),
  route(createNotificationService, {
    method: 'post',
    path: services,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { ...reply, status: 201 },
  }),
  route(getNotificationService, { method: 'get', path: one, input: ofService, reply }),
  route(updateNotificationService, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofService(request) }),
    reply,
  }),
  route(deleteNotificationService, { method: 'delete', path: one, input: ofService, reply: { kind: 'empty' } }),
  route(enableNotificationService, { method: 'put', path: `${one}/enable`, input: ofService, reply }),
  route(disableNotificationService, { method: 'put', path: `${one}/disable`, input: ofService, reply }),
  route(pingNotificationService, { method: 'post', path: `${one}/ping`, input: ofService, reply }),
  listRoute(listNotificationDeliveries, {
    method: 'get',
    path: deliveries,
    input: (request) => ({ ...ofService(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'NotificationDelivery', present: presentNotificationDelivery },
  }),
  route(getNotificationDelivery, {
    method: 'get',
    path: `${deliveries}/{delivery}`,
    input: ofDelivery,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'NotificationDeliveryWithPayload',
      present: presentDeliveryWithPayload,
    },
  }),
  route(redeliverNotification, {
    method: 'post',
    path: `${deliveries}/{delivery}/redeliver`,
    input: ofDelivery,
    reply: {
      kind: 'object',
      status: 201,
      schema: 'NotificationDelivery',
      present: (context, { delivery }) => presentNotificationDelivery(context, delivery),
    },
  }),
];
