import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { authenticateUser } from '../../src/auth/authenticate.js';
import { standing } from '../../src/auth/authorize.js';
import { hashPassword, passwordMatches } from '../../src/auth/passwords.js';
import { hashToken } from '../../src/auth/secrets.js';
import { applyProvisioning } from '../../src/provisioning/apply.js';
import { perform } from '../../src/core/operation.js';
import { createSession } from '../../src/operations/organizations/sessions/create.js';
import { readProvisioning } from '../../src/provisioning/read-file.js';
import { World } from '../support/world.js';

const file = `users:
  - email: ada@example.com
    name: Ada
organizations:
  - slug: lovelace
    name: Lovelace Ltd
    id: 0f0f0f0f-1111-4222-8333-444444444444
    plan: enterprise
    teams_enabled: true
    default_cluster: Default
    members:
      - {user: ada@example.com, role: admin}
    clusters:
      - name: Default
        description: Machines
        queues:
          - {key: default}
          - {key: macos, description: Macs, price_per_agent_hour: 0.35}
        default_queue: macos
        agent_tokens:
          - {description: agents, token: first-agent-token}
    teams:
      - slug: everyone
        name: Everyone
        members:
          - {user: ada@example.com, role: maintainer}
    suites:
      - {slug: unit, name: Unit, default_branch: main, token: suite-token}
api_tokens:
  - user: ada@example.com
    description: laptop
    token: first-token-of-twenty-characters
    scopes: [read_builds, view_teams]
    organizations: [lovelace]
    expires_at: 2030-01-01T00:00:00Z
`;

const withPassword = file.replace('name: Ada\n', 'name: Ada\n    password: correct horse\n');

describe('applying a provisioning file', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());
  afterEach(forget);

  const apply = (text: string) => applyProvisioning(world.services, readProvisioning(text, 'slipway.yaml', {}));
  test('every YAML example of docs/operations.md can be pasted and applied to an empty installation', async () => {
    const examples = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gm)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, text = ''] of examples) {
      const env = Object.fromEntries(
        [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, `${name}-of-at-least-twenty-characters`]),
      );
      const { changes } = await applyProvisioning(world.services, readProvisioning(text, 'slipway.yaml', env));
      expect(changes.length).toBeGreaterThan(0);
    }
  });

  const names = async (text: string) =>
    (await apply(text)).changes.map(
      ({ action, kind, name, fields }) => `${action} ${kind} ${name}${fields ? ` ${fields.join(' ')}` : ''}`,
    );
  const refusal = async (text: string) =>
    apply(text).then(
      () => 'applied',
      (error: Error) => error.message,
    );

  /** Deletes the rows that a test has provisioned; the world's own rows stay. */
  async function forget(): Promise<void> {
    const { db } = world.services;
    await db.deleteFrom('audit_events').execute();
    await db.deleteFrom('api_token_organizations').execute();
    await db.deleteFrom('api_tokens').where('description', 'in', ['laptop', 'ci']).execute();
    await db.deleteFrom('users').where('email', 'in', ['ada@example.com', 'grace@example.com']).execute();
    await db.deleteFrom('sso_domains').execute();
    const lovelace = db.selectFrom('organizations').select('id').where('slug', '=', 'lovelace');
    for (const table of [
      'suites',
      'team_members',
      'teams',
      'agent_tokens',
      'cluster_queues',
      'clusters',
      'organization_members',
    ] as const) {
      await db
        .deleteFrom(table as 'suites')
        .where('organizationId', 'in', lovelace)
        .execute();
    }
    await db.deleteFrom('organizations').where('slug', '=', 'lovelace').execute();
  }

  /** Every table that provisioning writes, to check that nothing changed. */
  async function everything(): Promise<unknown> {
    const { db } = world.services;
    const tables = [
      'users',
      'organizations',
      'organization_members',
      'clusters',
      'cluster_queues',
      'agent_tokens',
      'teams',
      'team_members',
      'team_pipelines',
      'suites',
      'api_tokens',
      'audit_events',
    ] as const;
    return Promise.all(
      tables.map((table) =>
        db
          .selectFrom(table as 'users')
          .selectAll()
          .orderBy('id')
          .execute(),
      ),
    );
  }

  test('applying a file creates everything in it, and applying it again changes nothing', async () => {
    expect(await names(file)).toEqual([
      'created user ada@example.com',
      'created organization lovelace',
      'created member lovelace/ada@example.com',
      'created cluster lovelace/Default',
      'created queue lovelace/Default/default',
      'created queue lovelace/Default/macos',
      'created agent token lovelace/Default/agents',
      'created team lovelace/everyone',
      'created team member lovelace/everyone/ada@example.com',
      'created suite lovelace/unit',
      'created API token ada@example.com/laptop',
    ]);
    const before = await everything();
    expect(await apply(file)).toEqual({ changes: [], kept: [] });
    expect(await everything()).toEqual(before);
  });

  test('applied credentials work, and only their hashes are stored', async () => {
    await apply(withPassword);
    const { db } = world.services;
    const ada = await db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'ada@example.com')
      .executeTakeFirstOrThrow();
    const organization = await db
      .selectFrom('organizations')
      .selectAll()
      .where('slug', '=', 'lovelace')
      .executeTakeFirstOrThrow();
    const cluster = await db
      .selectFrom('clusters')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .executeTakeFirstOrThrow();
    const queue = await db
      .selectFrom('cluster_queues')
      .selectAll()
      .where('key', '=', 'macos')
      .where('clusterId', '=', cluster.id)
      .executeTakeFirstOrThrow();
    const token = await db
      .selectFrom('api_tokens')
      .selectAll()
      .where('tokenHash', '=', hashToken('first-token-of-twenty-characters'))
      .executeTakeFirstOrThrow();
    expect(organization).toMatchObject({
      id: '0f0f0f0f-1111-4222-8333-444444444444',
      plan: 'enterprise',
      teamsEnabled: true,
      defaultClusterId: cluster.id,
    });
    expect(cluster.defaultQueueId).toBe(queue.id);
    expect(queue.pricePerAgentHour).toBe(0.35);
    expect(token).toMatchObject({
      scopes: ['read_builds', 'read_teams', 'view_teams'],
      allOrganizations: false,
      expiresAt: new Date('2030-01-01T00:00:00Z'),
    });
    expect(ada.passwordHash).toMatch(/^scrypt\$/);
    expect(await passwordMatches('correct horse', ada.passwordHash)).toBe(true);
    const actor = (
      await world.as({
        id: ada.id,
        email: ada.email,
        token: '',
        authorization: 'Bearer first-token-of-twenty-characters',
      })
    ).actor;
    expect(actor).toMatchObject({
      userId: ada.id,
      roles: new Map([[organization.id, 'admin']]),
      organizations: new Set([organization.id]),
    });
    expect(JSON.stringify(await everything())).not.toMatch(
      /correct horse|first-agent-token|first-token-of|suite-token/,
    );
  });

  test('applying a file writes one audit row for each change', async () => {
    const { changes } = await apply(file);
    const rows = await world.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('operation', '=', 'provisioning.apply')
      .execute();
    expect(rows).toHaveLength(changes.length);
    expect(rows.every((row) => row.actorType === 'system')).toBe(true);
  });

  test('applying a changed file updates what differs and reports the changes', async () => {
    await apply(withPassword);
    expect(await names(withPassword)).toEqual([]);
    const changed = withPassword
      .replace('name: Ada', 'name: Ada L.')
      .replace('correct horse', 'battery staple')
      .replace('role: admin', 'role: member')
      .replace('default_queue: macos', 'default_queue: default')
      .replace('first-agent-token', 'second-agent-token')
      .replace('first-token-of', 'second-token-of')
      .replace('[read_builds, view_teams]', '[read_builds]')
      .replace('organizations: [lovelace]', 'organizations: [lovelace, acme]');
    expect(await names(changed)).toEqual([
      'updated user ada@example.com name password',
      'updated member lovelace/ada@example.com role',
      'updated cluster lovelace/Default default_queue',
      'updated agent token lovelace/Default/agents token',
      'updated API token ada@example.com/laptop scopes token organizations',
    ]);
    expect(await names(changed)).toEqual([]);
    const old = await world.services.db
      .selectFrom('agent_tokens')
      .select('id')
      .where('tokenHash', '=', hashToken('first-agent-token'))
      .execute();
    expect(old).toEqual([]);
  });

  test('a change of only the organizations of a token is detected', async () => {
    await apply(file);
    expect(await names(file.replace('organizations: [lovelace]', 'organizations: [acme]'))).toEqual([
      'updated API token ada@example.com/laptop organizations',
    ]);
  });

  test('resources removed from the file stay in the database, and omitted keys keep their values', async () => {
    await apply(file);
    const before = await everything();
    expect(await names('organizations:\n  - {slug: lovelace, name: Lovelace Ltd}\n')).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test('who may join by single sign-on is set as a whole', async () => {
    const joining = (sso: string) => file.replace('    plan: enterprise\n', `    plan: enterprise\n    sso: ${sso}\n`);
    const domains = () =>
      world.services.db.selectFrom('sso_domains').select(['domain', 'role']).orderBy('domain').execute();
    await apply(file);
    expect(await names(joining('{domains: [Example.com, example.org]}'))).toEqual([
      'updated organization lovelace sso',
    ]);
    expect(await names(joining('{domains: [example.org, example.com]}'))).toEqual([]);
    expect(await domains()).toEqual([
      { domain: 'example.com', role: 'member' },
      { domain: 'example.org', role: 'member' },
    ]);
    expect(await names(file)).toEqual([]);
    await apply(joining('{domains: [example.org], role: admin}'));
    expect(await domains()).toEqual([{ domain: 'example.org', role: 'admin' }]);
    expect(() => readProvisioning(joining('{domains: [somebody@example.com]}'), 'slipway.yaml', {})).toThrow(
      'must be a domain, such as example.com',
    );
    await apply(joining('{domains: []}'));
    expect(await domains()).toEqual([]);
  });

  test('another password in the file signs its user out everywhere', async () => {
    const { db } = world.services;
    const user = 'users:\n  - {email: grace@example.com, name: Grace, password: first of hers}\n';
    await apply(user);
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'grace@example.com')
      .executeTakeFirstOrThrow();
    const origin = { ipAddress: null, userAgent: null, formerToken: null };
    await perform(createSession, world.system(), { userId: id, method: 'password', ...origin });
    const sessions = async () => (await db.selectFrom('sessions').select('id').execute()).length;
    expect(await names(user)).toEqual([]);
    expect(await sessions()).toBe(1);
    await apply(user.replace('first of hers', 'second of hers'));
    expect(await sessions()).toBe(0);
  });

  test('a password that is too easy to guess is refused at its place, unless it was set before', async () => {
    const user = 'users:\n  - {email: edith@example.com, name: Edith, password: x}\n';
    expect(await refusal(user)).toMatch(/slipway\.yaml:2:\d+: password must be at least 8 characters/);
    expect(await refusal(user.replace('password: x', 'password: qwertyuiop'))).toContain(
      'password is one of the most common',
    );
    await apply(user.replace(', password: x', ''));
    const passwordHash = await hashPassword('x', { N: 16, r: 8, p: 1 });
    await world.services.db
      .updateTable('users')
      .set({ passwordHash })
      .where('email', '=', 'edith@example.com')
      .execute();
    expect(await names(user)).toEqual([]);
  });

  test('an email address names one user, however its letters are written', async () => {
    const user = (email: string) => `  - {email: ${email}, name: Somebody}\n`;
    expect(() =>
      readProvisioning(`users:\n${user('x1@example.com')}${user('X1@Example.com')}`, 'slipway.yaml', {}),
    ).toThrow('user X1@Example.com is listed twice');
    await apply(`users:\n${user('x1@example.com')}`);
    expect(await names(`users:\n${user('X1@Example.com')}`)).toEqual([]);
    const rest = 'organizations:\n  - {slug: acme, name: Acme Inc, members: [{user: X1@EXAMPLE.com, role: member}]}\n';
    expect(await names(`users:\n${user('x1@example.com')}${rest}`)).toEqual(['created member acme/X1@EXAMPLE.com']);
    const stored = world.services.db
      .selectFrom('users')
      .select('email')
      .where(sql<boolean>`lower(email) = 'x1@example.com'`);
    expect(await stored.execute()).toEqual([{ email: 'x1@example.com' }]);
  });

  test('access that an organization revoked from a token stays revoked until the entry has another token', async () => {
    await apply(file);
    const { db } = world.services;
    const { id: apiTokenId } = await db
      .selectFrom('api_tokens')
      .select('id')
      .where('description', '=', 'laptop')
      .executeTakeFirstOrThrow();
    const { id: organizationId } = await db
      .selectFrom('organizations')
      .select('id')
      .where('slug', '=', 'lovelace')
      .executeTakeFirstOrThrow();
    const good = async (token: string) => {
      const actor = await authenticateUser({ db, now: world.clock.now(), ipAddress: null }, `Bearer ${token}`);
      return standing(actor, organizationId);
    };
    expect(await good('first-token-of-twenty-characters')).toBe('admin');
    await db
      .insertInto('api_token_revocations')
      .values({ apiTokenId, organizationId, createdAt: world.clock.now() })
      .execute();
    expect(await names(file)).toEqual([]);
    expect(await good('first-token-of-twenty-characters')).toBeNull();
    await apply(file.replace('organizations: [lovelace]', 'organizations: all'));
    expect(await good('first-token-of-twenty-characters')).toBe('visitor');
    await apply(file.replace('first-token-of', 'second-token-of'));
    expect(await good('second-token-of-twenty-characters')).toBe('admin');
  });

  test('a revoked token stays revoked until its entry has another token', async () => {
    await apply(file);
    const { db } = world.services;
    await db
      .updateTable('api_tokens')
      .set({ revokedAt: world.clock.now() })
      .where('description', '=', 'laptop')
      .execute();
    await db
      .updateTable('agent_tokens')
      .set({ revokedAt: world.clock.now() })
      .where('tokenHash', '=', hashToken('first-agent-token'))
      .execute();
    expect(await apply(file)).toEqual({
      changes: [],
      kept: [
        { kind: 'agent token', name: 'lovelace/Default/agents', reason: 'revoked' },
        { kind: 'API token', name: 'ada@example.com/laptop', reason: 'revoked' },
      ],
    });
    expect(await names(file.replace('first-token-of', 'second-token-of'))).toEqual([
      'created API token ada@example.com/laptop',
    ]);
    const rows = await db
      .selectFrom('api_tokens')
      .select(['tokenHash', 'revokedAt'])
      .where('description', '=', 'laptop')
      .execute();
    expect(new Map(rows.map((row) => [row.tokenHash, row.revokedAt === null]))).toEqual(
      new Map([
        [hashToken('first-token-of-twenty-characters'), false],
        [hashToken('second-token-of-twenty-characters'), true],
      ]),
    );
  });

  test('resources deleted on purpose are not created again', async () => {
    await apply(file);
    const { db } = world.services;
    await db.deleteFrom('suites').where('slug', '=', 'unit').execute();
    await db.deleteFrom('team_members').execute();
    expect(await apply(file)).toEqual({
      changes: [],
      kept: [
        { kind: 'team member', name: 'lovelace/everyone/ada@example.com', reason: 'deleted' },
        { kind: 'suite', name: 'lovelace/unit', reason: 'deleted' },
      ],
    });
  });

  test.each([
    [
      'a user that is nowhere',
      file.replace('      - {user: ada@example.com, role: admin}', '      - {user: bob@example.com, role: admin}'),
      '12:16: there is no user bob@example.com, here or in the database',
    ],
    [
      'a cluster that is nowhere',
      file.replace('default_cluster: Default', 'default_cluster: Other'),
      '10:22: there is no cluster Other in organization lovelace',
    ],
    [
      'a queue that is nowhere',
      file.replace('default_queue: macos', 'default_queue: none'),
      '19:24: there is no queue none in cluster Default',
    ],
    [
      'an organization that is nowhere',
      file.replace('organizations: [lovelace]', 'organizations: [lovelace, void]'),
      '34:31: there is no organization void, here or in the database',
    ],
    [
      'a pipeline that is nowhere',
      file.replace(
        '        members:\n          - {user: ada@example.com, role: maintainer}',
        '        pipelines:\n          - {slug: deploy, access_level: read_only}',
      ),
      '26:20: there is no pipeline deploy in organization lovelace',
    ],
    [
      'an id that belongs to another',
      file.replace(
        '  - email: ada@example.com\n    name: Ada\n',
        '  - email: ada@example.com\n    name: Ada\n    id: ADMIN\n',
      ),
      '4:9: id belongs to another user',
    ],
  ])('applying a file with %s is refused with its position and changes nothing', async (_what, text, problem) => {
    const before = await everything();
    expect(await refusal(text.replace('ADMIN', world.admin.id))).toContain(`slipway.yaml:${problem}`);
    expect(await everything()).toEqual(before);
  });

  test('an id that differs from the existing one, and a token that is in use elsewhere, are refused', async () => {
    await apply(file);
    const changed = file
      .replace('0f0f0f0f-1111', '0f0f0f0f-2222')
      .replace('description: agents', 'description: more agents');
    expect(await refusal(changed)).toContain(
      'slipway.yaml:7:9: id is not the id of organization lovelace, which is 0f0f0f0f-1111-4222-8333-444444444444: ids cannot be changed',
    );
    expect(await refusal(file.replace('first-agent-token', world.agentToken))).toContain(
      'slipway.yaml:21:42: token is in use for something else: every token is good for one thing',
    );
  });

  test('a file can refer to resources that are only in the database', async () => {
    const text = `api_tokens:\n  - {user: ${world.admin.email}, description: ci, token: a-token-of-twenty-characters, scopes: all, organizations: [acme]}\n`;
    expect(await names(text)).toEqual([`created API token ${world.admin.email}/ci`]);
  });
});
