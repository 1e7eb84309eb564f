import { getCluster } from '../../operations/clusters/get.js';
import { listClusters } from '../../operations/clusters/list.js';
import { getQueue } from '../../operations/queues/get.js';
import { listQueues } from '../../operations/queues/list.js';
import { readPage } from '../pagination.js';
import { presentCluster, presentQueue } from '../present/cluster.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { inOrganization } from './addresses.js';

const clusters = '/organizations/{org}/clusters';
const queues = `${clusters}/{cluster}/queues`;

const ofCluster = (request: RestRequest) => ({ cluster: { organization: request.param('org'), id: request.param('cluster') } });

export const clusterRoutes: Route[] = [
  listRoute(listClusters, {
    method: 'get',
    path: clusters,
    input: (request) => ({ ...inOrganization(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'Cluster', present: presentCluster },
  }),
  route(getCluster, {
    method: 'get',
    path: `${clusters}/{cluster}`,
    input: ofCluster,
    reply: { kind: 'object', status: 200, schema: 'Cluster', present: (context, { cluster }) => presentCluster(context, cluster) },
  }),
  listRoute(listQueues, {
    method: 'get',
    path: queues,
    input: (request) => ({ ...ofCluster(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'ClusterQueue', present: presentQueue },
  }),
  route(getQueue, {
    method: 'get',
    path: `${queues}/{queue}`,
    input: (request) => ({ queue: { organization: request.param('org'), id: request.param('queue') }, clusterId: request.param('cluster') }),
    reply: { kind: 'object', status: 200, schema: 'ClusterQueue', present: (context, { queue }) => presentQueue(context, queue) },
  }),
];
