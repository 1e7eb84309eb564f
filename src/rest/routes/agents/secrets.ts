import type { Context } from '../../../request/context.js';
import { createSecret } from '../../../operations/agents/secrets/create.js';
import { deleteSecret } from '../../../operations/agents/secrets/delete.js';
import type { SecretSubject } from '../../../resources/agents/secrets/find-secret.js';
import { getSecret } from '../../../operations/agents/secrets/get.js';
import { listSecrets } from '../../../operations/agents/secrets/list.js';
import { updateSecret } from '../../../operations/agents/secrets/update.js';
import { updateSecretValue } from '../../../operations/agents/secrets/update-value.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentSecret } from '../../present/agents/secret.js';
import { listRoute, type Route, route } from '../../route.js';
import { inCluster, ofCluster } from '../addresses.js';
import { bothWays } from '../both-ways.js';

const secrets = '/organizations/{org}/clusters/{cluster}/secrets';
const one = `${secrets}/{secret}`;

const ofSecret = inCluster('secret');
const objectReply = {
  kind: 'object',
  status: 200,
  schema: 'ClusterSecret',
  present: (context: Context, { secret }: SecretSubject) => presentSecret(context, secret),
} as const;

/** Routes of a cluster's secrets: replies describe secrets, and only requests contain values. */
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
    reply: { ...objectReply, status: 201 },
  }),
  route(getSecret, { method: 'get', path: one, input: ofSecret, reply: objectReply }),
  ...bothWays((method, variant) =>
    route(updateSecret, {
      method,
      variant,
      path: one,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofSecret(request) }),
      reply: objectReply,
    }),
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
