import { v7 as uuidv7 } from 'uuid';
import { Door } from '../support.js';

describe('fields that the console asked for first', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  const ask = (selection: string, variables = {}) =>
    door.ask(
      `query ${'text' in variables ? '($text: String!)' : ''} { organization(slug: "acme") { ${selection} } }`,
      variables,
    );

  test('the next five times of a cron line are told before a schedule has it', async () => {
    const { data } = await ask('scheduleTimes(cronline: $text)', { text: '30 4 * * *' });
    const times: Date[] = data.organization.scheduleTimes.map((time: string) => new Date(time));
    expect(times).toHaveLength(5);
    expect(times.map((time) => time.toISOString().slice(11))).toEqual(Array(5).fill('04:30:00.000Z'));
    expect(new Set(times.map(Number)).size).toBe(5);
  });

  test('a cron line that cannot be read is refused with its reason', async () => {
    const { errors } = await ask('scheduleTimes(cronline: $text)', { text: 'at noon' });
    expect(errors?.[0]?.extensions.fields).toEqual([
      { field: 'cronline', code: expect.stringContaining('five fields') },
    ]);
  });

  test('a membership is found by its user, and none of a stranger', async () => {
    const { admin, outsider } = door.world;
    const { data } = await ask(
      `mine: member(user: "${admin.id}") { role user { uuid } } other: member(user: "${outsider.id}") { role }`,
    );
    expect(data.organization).toEqual({ mine: { role: 'ADMIN', user: { uuid: admin.id } }, other: null });
  });

  test('what may be done with a cluster is told to an administrator, a member, and a maintainer', async () => {
    const { world } = door;
    const id = await world.insert('clusters', { organizationId: world.organization.id, name: 'Guarded' });
    const query =
      '{ organization(slug: "acme") { clusters(first: 50) { nodes { uuid permissions { clusterUpdate { allowed } clusterDelete { allowed } } } } } }';
    const allowed = async (person: typeof world.admin) => {
      const { organization } = await door.data(query, {}, person);
      const { permissions } = organization.clusters.nodes.find(({ uuid }: { uuid: string }) => uuid === id);
      return [permissions.clusterUpdate.allowed, permissions.clusterDelete.allowed];
    };
    expect(await allowed(world.admin)).toEqual([true, true]);
    expect(await allowed(world.member)).toEqual([false, false]);
    await world.services.db
      .insertInto('cluster_maintainers')
      .values({
        id: uuidv7(),
        organizationId: world.organization.id,
        clusterId: id,
        userId: world.member.id,
        createdAt: new Date(),
      })
      .execute();
    expect(await allowed(world.member)).toEqual([true, false]);
  });

  test('the settings that a provider takes are listed with kinds and values, and the events of notifications', async () => {
    await door.world.pipeline('steps: [{command: make}]', { slug: 'settings' });
    const data = await door.data(
      '{ meta { notificationEvents notificationStates } pipeline(slug: "acme/settings") { providerSettings { name description kind choices enabled value needs } } }',
    );
    expect(data.meta.notificationEvents).toContain('build.finished');
    expect(data.meta.notificationStates).toContain('build_fixed');
    const settings = new Map(
      data.pipeline.providerSettings.map((setting: { name: string }) => [setting.name, setting] as const),
    );
    expect(settings.get('build_pull_requests')).toMatchObject({
      kind: 'boolean',
      enabled: true,
      value: null,
      needs: [],
    });
    expect(settings.get('filter_condition')).toMatchObject({
      kind: 'condition',
      value: null,
      needs: ['filter_enabled'],
    });
    expect([...settings.values()].every((setting) => (setting as { description: string }).description !== '')).toBe(
      true,
    );
  });

  test('rate limits are listed with their windows', async () => {
    const { data } = await ask('rateLimits { api sharedBy limit windowSeconds used }');
    expect(
      data.organization.rateLimits.map(({ api, sharedBy, windowSeconds }: Record<string, unknown>) => [
        api,
        sharedBy,
        windowSeconds,
      ]),
    ).toEqual([
      ['rest', 'organization', 60],
      ['rest', 'user', 60],
      ['graphql', 'organization', 300],
      ['graphql', 'user', 300],
    ]);
  });
});
