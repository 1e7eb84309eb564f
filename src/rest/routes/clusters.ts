import type { Context } from '../../context.js';
import { createCluster } from '../../operations/clusters/create.js';
import { createMaintainer } from '../../operations/clusters/create-maintainer.js';
import { deleteCluster } from '../../operations/clusters/delete.js';
import { deleteMaintainer } from '../../operations/clusters/delete-maintainer.js';
import type { ClusterSubject } from '../../operations/clusters/find-cluster.js';
import { getCluster } from '../../operations/clusters/get.js';
import { getMaintainer } from '../../operations/clusters/get-maintainer.js';
import { listClusters } from '../../operations/clusters/list.js';
import { listMaintainers } from '../../operations/clusters/list-maintainers.js';
import type { MaintainerSubject } from '../../operations/clusters/maintainer.js';
import { updateCluster } from '../../operations/clusters/update.js';
import { limits } from '../../domain/limits.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentCluster, presentMaintainer } from '../present/cluster.js';
import { listRoute, type Route, route } from '../route.js';
import { inCluster, inOrganization, ofCluster } from './addresses.js';
import { bothWays } from './both-ways.js';

const clusters = '/organizations/{org}/clusters';
const one = `${clusters}/{cluster}`;
const maintainers = `${one}/maintainers`;

const shown = (context: Context, { cluster }: ClusterSubject) => presentCluster(context, cluster);
const shownMaintainer = (context: Context, { clusterMaintainer }: MaintainerSubject) => presentMaintainer(context, clusterMaintainer);

/** Clusters and who maintains them (rest-facts 3.6). */
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
    reply: { kind: 'object', status: 201, schema: 'Cluster', present: shown },
  }),
  route(getCluster, { method: 'get', path: one, input: ofCluster, reply: { kind: 'object', status: 200, schema: 'Cluster', present: shown } }),
  ...bothWays((method, variant) =>
    route(updateCluster, {
      method,
      variant,
      path: one,
      takesBody: true,
      input: (request) => ({ ...camelFields(request.body), ...ofCluster(request) }),
      reply: { kind: 'object', status: 200, schema: 'Cluster', present: shown },
    }),
  ),
  route(deleteCluster, { method: 'delete', path: one, input: ofCluster, reply: { kind: 'empty' } }),
  listRoute(listMaintainers, {
    method: 'get',
    path: maintainers,
    // Clients take this list for whole: one page holds as many as there may be.
    input: (request) => ({ ...ofCluster(request), paging: { ...readPage(request), perPage: limits.maintainersPerCluster } }),
    reply: { kind: 'page', schema: 'ClusterMaintainer', present: presentMaintainer },
  }),
  route(createMaintainer, {
    method: 'post',
    path: maintainers,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofCluster(request) }),
    reply: { kind: 'object', status: 201, schema: 'ClusterMaintainer', present: shownMaintainer },
  }),
  route(getMaintainer, {
    method: 'get',
    path: `${maintainers}/{maintainer}`,
    input: inCluster('maintainer', 'clusterMaintainer'),
    reply: { kind: 'object', status: 200, schema: 'ClusterMaintainer', present: shownMaintainer },
  }),
  route(deleteMaintainer, { method: 'delete', path: `${maintainers}/{maintainer}`, input: inCluster('maintainer', 'clusterMaintainer'), reply: { kind: 'empty' } }),
];
