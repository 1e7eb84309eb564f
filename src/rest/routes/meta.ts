import { getMeta } from '../../operations/meta/get.js';
import { type Route, route } from '../route.js';

/** What is known about the service without a token (rest-facts 1.9). */
export const metaRoutes: Route[] = [
  route(getMeta, {
    method: 'get',
    path: '/meta',
    input: () => ({}),
    reply: { kind: 'object', status: 200, schema: 'Meta', present: async (_context, { webhookIps }) => ({ webhook_ips: [...webhookIps] }) },
  }),
];
