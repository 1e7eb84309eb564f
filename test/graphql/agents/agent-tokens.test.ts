import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { Door } from '../support.js';

describe('agent tokens as clients from before clusters know them', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  const create =
    'mutation ($input: AgentTokenCreateInput!) { agentTokenCreate(input: $input) { agentTokenEdge { node { id uuid description public token permissions { agentTokenRevoke { allowed } } createdBy { name } organization { slug } } } tokenValue organization { slug } } }';
  const list = (revoked: string) =>
    `{ organization(slug: "acme") { agentTokens(first: 50${revoked}) { count edges { node { uuid revokedAt revokedReason revokedBy { uuid } } } } } }`;
  const input = () => ({ organizationID: door.world.organization.id, description: 'old client' });

  test('a token is created in the default cluster, registers agents, is read, and is revoked with a reason', async () => {
    const { world } = door;
    const created = (await door.data(create, { input: input() })).agentTokenCreate;
    const { node } = created.agentTokenEdge;
    expect(node).toMatchObject({
      description: 'old client',
      public: false,
      token: '',
      permissions: { agentTokenRevoke: { allowed: true } },
      organization: { slug: 'acme' },
    });
    const agent = await ScriptedAgent.connected(agentApp(world), created.tokenValue);
    expect((await agent.ping()).job).toBeUndefined();

    const slug = { slug: `acme/${node.uuid}`, id: node.id };
    const query = 'query ($slug: ID!, $id: ID!) { agentToken(slug: $slug) { uuid } node(id: $id) { __typename id } }';
    expect(await door.data(query, slug)).toEqual({
      agentToken: { uuid: node.uuid },
      node: { __typename: 'AgentToken', id: node.id },
    });
    expect(await door.data(query, slug, world.outsider)).toEqual({ agentToken: null, node: null });

    const revoke =
      'mutation ($input: AgentTokenRevokeInput!) { agentTokenRevoke(input: $input) { agentToken { uuid revokedAt revokedReason revokedBy { uuid } permissions { agentTokenRevoke { allowed } } } } }';
    const revoked = {
      uuid: node.uuid,
      revokedAt: world.clock.now().toISOString(),
      revokedReason: 'leaked',
      revokedBy: { uuid: world.admin.id },
    };
    expect((await door.data(revoke, { input: { id: node.id, reason: 'leaked' } })).agentTokenRevoke.agentToken).toEqual(
      {
        ...revoked,
        permissions: { agentTokenRevoke: { allowed: false } },
      },
    );
    expect(await door.data(query, slug)).toEqual({ agentToken: null, node: null });
    const of = async (argument: string) => (await door.data(list(argument))).organization.agentTokens;
    expect((await of(', revoked: true')).edges).toEqual([{ node: revoked }]);
    expect([(await of('')).count, (await of(', revoked: false')).count]).toEqual([2, 1]);
  });

  test('an organization without a default cluster has no such tokens, and says so', async () => {
    const { world } = door;
    await world.services.db.updateTable('organizations').set({ defaultClusterId: null }).execute();
    expect((await door.data(list(''))).organization.agentTokens).toEqual({ count: 0, edges: [] });
    const refused = await door.ask(create, { input: input() });
    expect(refused.errors?.[0]?.message).toContain('no default cluster');
  });
});
