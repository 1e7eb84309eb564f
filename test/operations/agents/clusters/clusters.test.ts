import { getAgentToken } from '../../../../src/operations/agents/agent-tokens/get.js';
import { getCluster } from '../../../../src/operations/agents/clusters/get.js';
import { listAgentTokens } from '../../../../src/operations/agents/agent-tokens/list.js';
import { listClusters } from '../../../../src/operations/agents/clusters/list.js';
import type { AnyOperation } from '../../../../src/core/operation.js';
import { getQueue } from '../../../../src/operations/agents/queues/get.js';
import { listQueues } from '../../../../src/operations/agents/queues/list.js';
import { refusal } from '../../../support/refusal.js';
import { World } from '../../../support/world.js';

describe('clusters, their queues and agent tokens', () => {
  let world: World;
  let secondId: string;
  let tokenId: string;
  beforeAll(async () => {
    world = await World.create();
    world.clock.advance(1);
    secondId = await world.insert('clusters', { organizationId: world.organization.id, name: 'Another' });
    await world.insert('agent_tokens', {
      organizationId: world.organization.id,
      clusterId: world.clusterId,
      description: 'gone',
      tokenHash: 'x',
      revokedAt: world.clock.now(),
    });
    tokenId = (
      await world.services.db
        .selectFrom('agent_tokens')
        .select('id')
        .where('description', '=', 'agents')
        .executeTakeFirstOrThrow()
    ).id;
  });
  afterAll(() => world.close());

  const acme = { organization: { slug: 'acme' } };
  const node = (kind: string, id: string) => Buffer.from(`${kind}---${id}`).toString('base64');

  test('clusters are listed by name or newest first', async () => {
    const names = async (more: object = {}) =>
      (await world.perform(world.member, listClusters, { ...acme, ...more })).rows.map(
        (row: { name: string }) => row.name,
      );
    expect(await names()).toEqual(['Another', 'Default cluster']);
    expect(await names({ order: 'recently_created' })).toEqual(['Another', 'Default cluster']);
    expect(await names({ paging: { page: 2, perPage: 1 } })).toEqual(['Default cluster']);
  });

  test('queues are listed by key for one cluster', async () => {
    const keys = async (id: string) =>
      (await world.perform(world.member, listQueues, { cluster: { organization: 'acme', id } })).rows.map(
        (row: { key: string }) => row.key,
      );
    expect([await keys(world.clusterId), await keys(secondId)]).toEqual([['default', 'macos'], []]);
  });

  test('agent tokens are listed while valid, without their value or hash', async () => {
    const { rows } = await world.perform(world.member, listAgentTokens, { cluster: { id: world.clusterId } });
    expect(rows.map((row: { description: string }) => row.description)).toEqual(['agents']);
    expect(rows[0]).not.toHaveProperty('tokenHash');
    const one = await world.perform(world.member, getAgentToken, {
      agentToken: { organization: 'acme', id: tokenId },
      clusterId: world.clusterId,
    });
    expect(one.agentToken).toEqual(rows[0]);
  });

  test('a cluster, a queue and an agent token are each found by UUID and by node id', async () => {
    for (const id of [world.clusterId, node('Cluster', world.clusterId)])
      expect(await world.perform(world.member, getCluster, { cluster: { id } })).toMatchObject({
        cluster: { name: 'Default cluster' },
      });
    for (const id of [world.queues.macos, node('ClusterQueue', world.queues.macos)]) {
      expect(
        await world.perform(world.member, getQueue, {
          queue: { organization: 'acme', id },
          clusterId: world.clusterId,
        }),
      ).toMatchObject({ queue: { key: 'macos' }, cluster: { id: world.clusterId } });
    }
    expect(
      await world.perform(world.member, getAgentToken, { agentToken: { id: node('ClusterToken', tokenId) } }),
    ).toMatchObject({ agentToken: { id: tokenId } });
  });

  test('no cluster, queue or agent token is found through another cluster, organization, kind or id', async () => {
    const wrong: [AnyOperation, object][] = [
      [getCluster, { cluster: { organization: 'other', id: world.clusterId } }],
      [getCluster, { cluster: { id: node('Team', world.clusterId) } }],
      [getCluster, { cluster: { id: 'default' } }],
      [getQueue, { queue: { id: world.queues.macos }, clusterId: secondId }],
      [getQueue, { queue: { organization: 'other', id: world.queues.macos } }],
      [getQueue, { queue: { id: world.clusterId } }],
      [getAgentToken, { agentToken: { id: tokenId }, clusterId: secondId }],
      [getAgentToken, { agentToken: { organization: 'other', id: tokenId } }],
      [listQueues, { cluster: { id: 'x' } }],
      [listAgentTokens, { cluster: { id: world.member.id } }],
    ];
    for (const [operation, input] of wrong)
      expect(await refusal(world.perform(world.member, operation, input))).toMatchObject({
        code: 'not_found',
        message: 'Not Found',
      });
  });

  test.each<[string, AnyOperation, () => object]>([
    ['cluster.list', listClusters, () => acme],
    ['cluster.get', getCluster, () => ({ cluster: { id: world.clusterId } })],
    ['queue.list', listQueues, () => ({ cluster: { id: world.clusterId } })],
    ['queue.get', getQueue, () => ({ queue: { id: world.queues.default } })],
    ['agent-token.list', listAgentTokens, () => ({ cluster: { id: world.clusterId } })],
    ['agent-token.get', getAgentToken, () => ({ agentToken: { id: tokenId } })],
  ])('%s is hidden from strangers and needs its scope', async (_name, operation, input) => {
    expect(await refusal(world.perform(world.outsider, operation, input()))).toMatchObject({
      code: 'not_found',
      message: 'Not Found',
    });
    const person = await world.person({ organizationId: world.organization.id, scopes: ['read_pipelines'] });
    expect(await refusal(world.perform(person, operation, input()))).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'read_clusters' },
    });
  });
});
