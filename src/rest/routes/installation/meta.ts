import { getMeta } from '../../../operations/installation/meta/get.js';
import { presentMeta } from '../../present/installation/meta.js';
import { type Route, route } from '../../route.js';

/** Facts about the service that need no token. */
export const metaRoutes: Route[] = [
  route(getMeta, {
    method: 'get',
    path: '/meta',
    input: () => ({}),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'Meta',
      present: async (_context, meta) => presentMeta(meta),
    },
  }),
];
