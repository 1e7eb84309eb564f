import { createWebhook } from '../../../operations/pipelines/webhooks/create.js';
import { deleteWebhook } from '../../../operations/pipelines/webhooks/delete.js';
import { rotateWebhookUrl } from '../../../operations/pipelines/webhooks/rotate-url.js';
import { setWebhookSecret } from '../../../operations/pipelines/webhooks/set-secret.js';
import { checkProviderConnection } from '../../../operations/integrations/provider-connections/check.js';
import { createProviderConnection } from '../../../operations/integrations/provider-connections/create.js';
import { deleteProviderConnection } from '../../../operations/integrations/provider-connections/delete.js';
import { getProviderConnection } from '../../../operations/integrations/provider-connections/get.js';
import { listProviderConnections } from '../../../operations/integrations/provider-connections/list.js';
import { listProviderRepositories } from '../../../operations/integrations/provider-connections/list-repositories.js';
import { updateProviderConnection } from '../../../operations/integrations/provider-connections/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentPipeline } from '../../present/pipelines/pipeline.js';
import {
  presentProviderRepository,
  presentRepositoryConnection,
  presentRepositoryConnectionWithHost,
} from '../../present/integrations/repository-connection.js';
import { presentConnection, presentConnectionCheck } from '../../present/integrations/provider-connection.js';
import { presentWebhook } from '../../present/pipelines/webhook.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route, wholeListRoute } from '../../route.js';
import { inOrganization, inPipeline } from '../addresses.js';

const webhook = '/organizations/{org}/pipelines/{slug}/webhook';
const connections = '/organizations/{org}/provider-connections';

const oneConnection = (request: RestRequest) => ({
  connection: { organization: request.param('org'), id: request.param('connection') },
});

const repositoryConnections = '/organizations/{org}/repository_connections';

export const webhookRoutes: Route[] = [
  listRoute(listProviderConnections, {
    method: 'get',
    path: repositoryConnections,
    variant: 'repository',
    input: (request) => ({ ...inOrganization(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'RepositoryConnection', present: presentRepositoryConnection },
  }),
  route(getProviderConnection, {
    method: 'get',
    path: `${repositoryConnections}/{connection}`,
    variant: 'repository',
    input: oneConnection,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'RepositoryConnectionWithHost',
      present: (context, { connection }) => presentRepositoryConnectionWithHost(context, connection),
    },
  }),
  wholeListRoute(listProviderRepositories, {
    method: 'get',
    path: `${repositoryConnections}/{connection}/repositories`,
    input: (request) => ({ ...oneConnection(request), repository: request.query['repository'] }),
    query: [
      { name: 'repository', type: 'string', description: 'Part of the name of the repositories.', example: 'acme/app' },
    ],
    refuses: [422],
    reply: { kind: 'list', schema: 'ProviderRepository', present: presentProviderRepository },
  }),
  route(createWebhook, {
    method: 'post',
    path: webhook,
    input: inPipeline,
    reply: { kind: 'object', status: 201, schema: 'Webhook', present: presentWebhook },
  }),
  route(deleteWebhook, { method: 'delete', path: webhook, input: inPipeline, reply: { kind: 'empty' } }),
  route(rotateWebhookUrl, {
    method: 'post',
    path: `${webhook}/rotate`,
    input: inPipeline,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'Pipeline',
      present: (context, { pipeline }) => presentPipeline(context, pipeline),
    },
  }),
  route(setWebhookSecret, {
    method: 'put',
    path: `${webhook}/secret`,
    takesBody: true,
    input: (request) => ({ secret: request.body['secret'], ...inPipeline(request) }),
    reply: { kind: 'empty' },
  }),
  listRoute(listProviderConnections, {
    method: 'get',
    path: connections,
    input: (request) => ({ ...inOrganization(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'ProviderConnection', present: presentConnection },
  }),
  route(createProviderConnection, {
    method: 'post',
    path: connections,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: {
      kind: 'object',
      status: 201,
      schema: 'ProviderConnection',
      present: (context, { connection }) => presentConnection(context, connection),
    },
  }),
  route(getProviderConnection, {
    method: 'get',
    path: `${connections}/{connection}`,
    input: oneConnection,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'ProviderConnection',
      present: (context, { connection }) => presentConnection(context, connection),
    },
  }),
  route(updateProviderConnection, {
    method: 'patch',
    path: `${connections}/{connection}`,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...oneConnection(request) }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'ProviderConnection',
      present: (context, { connection }) => presentConnection(context, connection),
    },
  }),
  route(checkProviderConnection, {
    method: 'post',
    path: `${connections}/{connection}/check`,
    input: oneConnection,
    reply: { kind: 'object', status: 200, schema: 'ProviderConnectionCheck', present: presentConnectionCheck },
  }),
  route(deleteProviderConnection, {
    method: 'delete',
    path: `${connections}/{connection}`,
    input: oneConnection,
    reply: { kind: 'empty' },
  }),
];
