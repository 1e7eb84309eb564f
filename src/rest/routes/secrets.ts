import type { Context } from '../../context.js';
import { createSecret } from '../../operations/secrets/create.js';
import { deleteSecret } from '../../operations/secrets/delete.js';
import type { SecretSubject } from '../../operations/secrets/find-secret.js';
import { getSecret } from '../../operations/secrets/get.js';
import { listSecrets } from '../../operations/secrets/list.js';
import { updateSecret } from '../../operations/secrets/update.js';
import { updateSecretValue } from '../../operations/secrets/update-value.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentSecret } from '../present/secret.js';
import { listRoute, type Route, route } from '../route.js';
import { inCluster, ofCluster } from './addresses.js';
import { bothWays } from './both-ways.js';

const secrets = '/organizations/{org}/clusters/{cluster}/secrets';
const one = `${secrets}/{secret}`;

const ofSecret = inCluster('secret');
const shown = { kind: 'object', status: 200, schema: 'ClusterSecret', present: (context: Context, { secret }: SecretSubject) => presentSecret(context, secret) } as const;

/** Secrets of a cluster: what is said of them, and values on the way in (rest-facts 3.6). */
export const secretRoutes: Route[] = [
  listRoute(listSecrets, {
    method: 'get',
    path: secrets,
    input: (request) => ({ ...ofCluster(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'ClusterSecret', present: presentSecret },
  }),
  route(createSecret, {
    method: 'post',
    path: secrets,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofCluster(request) }),
    reply: { ...shown, status: 201 },
  }),
  route(getSecret, { method: 'get', path: one, input: ofSecret, reply: shown }),
  ...bothWays((method, variant) =>
    route(updateSecret, { method, variant, path: one, takesBody: true, input: (request) => ({ ...camelFields(request.body), ...ofSecret(request) }), reply: shown }),
  ),
  route(updateSecretValue, {
    method: 'put',
    path: `${one}/value`,
    takesBody: true,
    input: (request) => ({ value: request.body['value'], ...ofSecret(request) }),
    reply: { kind: 'empty' },
  }),
  route(deleteSecret, { method: 'delete', path: one, input: ofSecret, reply: { kind: 'empty' } }),
];
