import { getDelivery } from '../../../operations/integrations/webhook-deliveries/get.js';
import { listDeliveries } from '../../../operations/integrations/webhook-deliveries/list.js';
import { previewDelivery } from '../../../operations/integrations/webhook-deliveries/preview.js';
import { readPage } from '../../replies/pagination.js';
import {
  presentDelivery,
  presentDeliveryWithPayload,
  presentPreview,
} from '../../present/integrations/webhook-delivery.js';
import { listRoute, type Route, route } from '../../route.js';
import { inPipeline } from '../addresses.js';

const deliveries = '/organizations/{org}/pipelines/{slug}/deliveries';

export const webhookDeliveryRoutes: Route[] = [
  listRoute(listDeliveries, {
    method: 'get',
    path: deliveries,
    input: (request) => ({ ...inPipeline(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'WebhookDelivery', present: presentDelivery },
  }),
  route(previewDelivery, {
    method: 'post',
    path: `${deliveries}/preview`,
    takesBody: true,
    input: (request) => ({
      provider: request.body['provider'],
      event: request.body['event'],
      payload: request.body['payload'],
      ...inPipeline(request),
    }),
    reply: { kind: 'object', status: 200, schema: 'WebhookDeliveryPreview', present: presentPreview },
  }),
  route(getDelivery, {
    method: 'get',
    path: `${deliveries}/{delivery}`,
    input: (request) => ({ ...inPipeline(request), id: request.param('delivery') }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'WebhookDelivery',
      present: presentDeliveryWithPayload,
    },
  }),
];
