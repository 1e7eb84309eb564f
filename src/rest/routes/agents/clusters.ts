import type { Context } from '../../../request/context.js';
import { createCluster } from '../../../operations/agents/clusters/create.js';
import { createMaintainer } from '../../../operations/agents/cluster-maintainers/create.js';
import { deleteCluster } from '../../../operations/agents/clusters/delete.js';
import { deleteMaintainer } from '../../../operations/agents/cluster-maintainers/delete.js';
import type { ClusterSubject } from '../../../resources/agents/clusters/find-cluster.js';
import { getCluster } from '../../../operations/agents/clusters/get.js';
import { getMaintainer } from '../../../operations/agents/cluster-maintainers/get.js';
import { listClusters } from '../../../operations/agents/clusters/list.js';
import { listMaintainers } from '../../../operations/agents/cluster-maintainers/list.js';
import type { MaintainerSubject } from '../../../resources/agents/cluster-maintainers/maintainer.js';
import { updateCluster } from '../../../operations/agents/clusters/update.js';
import { limits } from '../../../domain/limits/limits.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentCluster, presentMaintainer } from '../../present/agents/cluster.js';
import { listRoute, type Route, route } from '../../route.js';
import { inCluster, inOrganization, ofCluster } from '../addresses.js';
import { bothWays } from '../both-ways.js';

const clusters = '/organizations/{org}/clusters';
const one = `${clusters}/{cluster}`;
const maintainers = `${one}/maintainers`;

const present = (context: Context, { cluster }: ClusterSubject) => presentCluster(context, cluster);
const maintainerJson = (context: Context, { clusterMaintainer }: MaintainerSubject) =>
  presentMaintainer(context, clusterMaintainer);

/** Routes of clusters and their maintainers. */
export const clusterRoutes: Route[] = [
  listRoute(listClusters, {
    method: 'get',
    path: clusters,
    input: (request) => ({ ...inOrganization(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'Cluster', present: presentCluster },
  }),
  route(createCluster, {
    method: 'post',
    path: clusters,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 201, schema: 'Cluster', present },
  }),
  route(getCluster, {
    method: 'get',
    path: one,
    input: ofCluster,
    reply: { kind: 'object', status: 200, schema: 'Cluster', present },
  }),
  ...bothWays((method, variant) =>
    route(updateCluster, {
      method,
      variant,
      path: one,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofCluster(request) }),
      reply: { kind: 'object', status: 200, schema: 'Cluster', present },
    }),
  ),
  route(deleteCluster, { method: 'delete', path: one, input: ofCluster, reply: { kind: 'empty' } }),
  listRoute(listMaintainers, {
    method: 'get',
    path: maintainers,
    // Clients take this list for whole: one page holds as many as there may be.
    input: (request) => ({
      ...ofCluster(request),
      paging: { ...readPage(request), perPage: limits.maintainersPerCluster },
    }),
    reply: { kind: 'page', schema: 'ClusterMaintainer', present: presentMaintainer },
  }),
  route(createMaintainer, {
    method: 'post',
    path: maintainers,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofCluster(request) }),
    reply: { kind: 'object', status: 201, schema: 'ClusterMaintainer', present: maintainerJson },
  }),
  route(getMaintainer, {
    method: 'get',
    path: `${maintainers}/{maintainer}`,
    input: inCluster('maintainer', 'clusterMaintainer'),
    reply: { kind: 'object', status: 200, schema: 'ClusterMaintainer', present: maintainerJson },
  }),
  route(deleteMaintainer, {
    method: 'delete',
    path: `${maintainers}/{maintainer}`,
    input: inCluster('maintainer', 'clusterMaintainer'),
    reply: { kind: 'empty' },
  }),
];
