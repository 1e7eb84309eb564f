import { BothSurfaces } from '../../support/both-surfaces.js';

const shape = `id uuid description enabled scope scopeUuids branchConfiguration url tokenMode tokenSet events tlsVerify createdBy { uuid }`;

describe('notification services on both surfaces', () => {
  let surfaces: BothSurfaces;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
  });
  afterAll(() => surfaces.close());

  const path = '/organizations/acme/services';
  const url = 'http://127.0.0.1:9/hook';
  const organizationId = () => surfaces.world.organization.id;
  const node = (id: string) => Buffer.from(`NotificationServiceWebhook---${id}`).toString('base64');
  const rows = () => surfaces.world.services.db.selectFrom('notification_services').selectAll().orderBy('id').execute();

  test('creating, reading, updating and deleting a notification service leave the same rows on both surfaces', async () => {
    const settings = { url, token_mode: 'signature', events: ['build.finished'] };
    const rest = await surfaces.read([
      'post',
      path,
      { description: 'hook', settings: { ...settings, token: 'over-rest' } },
    ]);
    const graphql = await surfaces.select([
      `mutation ($input: NotificationServiceCreateInput!) { notificationServiceCreate(input: $input) { notificationService { ${shape} } } }`,
      {
        input: {
          organizationId: organizationId(),
          description: 'hook',
          settings: { url, tokenMode: 'signature', token: 'over-graphql', events: ['build.finished'] },
        },
      },
    ]);
    const made = graphql.notificationServiceCreate.notificationService;
    const [first, second] = await rows();
    const compared = ({ id: _id, sealedToken, ...row }: NonNullable<typeof first>) => ({
      ...row,
      sealed: sealedToken?.startsWith('v1.'),
    });
    expect(compared(second!)).toEqual(compared(first!));
    expect(rest).toMatchObject({
      id: first!.id,
      graphql_id: node(first!.id),
      provider: { id: 'webhook' },
      settings: { ...settings, token_set: true, version: 3, tls_verify: true },
      branch_configuration: '',
      build_states: { build_passed: true, job_activated: true },
    });
    expect(JSON.stringify([rest, graphql])).not.toMatch(/over-(rest|graphql)/);

    const read = await surfaces.select([
      `{ notificationService(uuid: "${made.uuid}") { ... on NotificationServiceWebhook { ${shape} } } node(id: "${made.id}") { ... on NotificationServiceWebhook { ${shape} } } }`,
    ]);
    expect(read).toEqual({ notificationService: made, node: made });
    const { items: listed } = await surfaces.read(['get', path]);
    const connection = await surfaces.select([
      `{ organization(slug: "acme") { notificationServices(first: 10) { count nodes { uuid } } } }`,
    ]);
    expect(connection.organization.notificationServices).toEqual({
      count: 2,
      nodes: listed.map(({ id }: { id: string }) => ({ uuid: id })),
    });

    const changed = await surfaces.read([
      'patch',
      `${path}/${first!.id}`,
      { description: 'renamed', settings: { token: null } },
    ]);
    expect(changed).toMatchObject({ description: 'renamed', settings: { url, token_set: false } });
    const updated = await surfaces.select([
      `mutation ($input: NotificationServiceUpdateInput!) { notificationServiceUpdate(input: $input) { notificationService { description tokenSet } } }`,
      { input: { id: made.id, description: 'renamed', settings: { token: null } } },
    ]);
    expect(updated.notificationServiceUpdate.notificationService).toEqual({ description: 'renamed', tokenSet: false });

    const chosen = await surfaces.read(['patch', `${path}/${first!.id}`, { build_states: { build_passed: false } }]);
    expect(chosen.build_states).toMatchObject({ build_passed: false, build_fixed: true, build_failed: true });
    const named = Object.keys(chosen.build_states).filter((state) => chosen.build_states[state]);
    const alike = await surfaces.select([
      `mutation ($input: NotificationServiceUpdateInput!) { notificationServiceUpdate(input: $input) { notificationService { buildStates } } }`,
      { input: { id: made.id, buildStates: named } },
    ]);
    expect(alike.notificationServiceUpdate.notificationService.buildStates).toEqual(named);
    expect((await rows()).map(({ withheldStates }) => withheldStates)).toEqual([['build_passed'], ['build_passed']]);

    expect(await surfaces.read(['put', `${path}/${first!.id}/disable`])).toMatchObject({ enabled: false });
    expect((await surfaces.rest(['post', `${path}/${first!.id}/ping`])).status).toBe(422);
    expect(await surfaces.read(['put', `${path}/${first!.id}/enable`])).toMatchObject({ enabled: true });
    for (const verb of ['Disable', 'Enable', 'Ping']) {
      const answer = await surfaces.select([
        `mutation { notificationService${verb}(input: { id: "${made.id}" }) { notificationService { enabled } } }`,
      ]);
      expect(answer[`notificationService${verb}`].notificationService.enabled).toBe(verb !== 'Disable');
    }

    const [delivery] = await surfaces.read(['get', `${path}/${made.uuid}/deliveries`]);
    const selection = 'uuid state event attempts receiverUrl payload';
    const { notificationService } = await surfaces.select([
      `{ notificationService(uuid: "${made.uuid}") { ... on NotificationServiceWebhook { deliveries(first: 1) { nodes { ${selection} } } delivery(uuid: "${delivery.id}") { ${selection} } } } }`,
    ]);
    expect(notificationService.deliveries.nodes).toEqual([notificationService.delivery]);
    expect(notificationService.delivery).toMatchObject({
      uuid: delivery.id,
      state: delivery.state,
      event: 'ping',
      receiverUrl: delivery.receiver_url,
    });
    const whole = await surfaces.read(['get', `${path}/${made.uuid}/deliveries/${delivery.id}`]);
    expect(JSON.parse(notificationService.delivery.payload)).toEqual(whole.payload);
    expect((await surfaces.rest(['post', `${path}/${made.uuid}/deliveries/${delivery.id}/redeliver`])).status).toBe(
      422,
    );
    await surfaces.world.services.db.updateTable('notification_deliveries').set({ state: 'failed' }).execute();
    expect(await surfaces.read(['post', `${path}/${made.uuid}/deliveries/${delivery.id}/redeliver`])).toMatchObject({
      state: 'pending',
      redelivery_of: delivery.id,
      event: 'ping',
    });
    const again = await surfaces.select([
      `mutation { notificationDeliveryRedeliver(input: { id: "${made.id}", deliveryUuid: "${delivery.id}" }) { notificationDelivery { state redeliveryOf event } } }`,
    ]);
    expect(again.notificationDeliveryRedeliver.notificationDelivery).toEqual({
      state: 'pending',
      redeliveryOf: delivery.id,
      event: 'ping',
    });

    expect((await surfaces.rest(['delete', `${path}/${first!.id}`])).status).toBe(204);
    const gone = await surfaces.select([
      `mutation { notificationServiceDelete(input: { id: "${made.id}" }) { deletedNotificationServiceId organization { slug } } }`,
    ]);
    expect(gone.notificationServiceDelete).toEqual({
      deletedNotificationServiceId: made.id,
      organization: { slug: 'acme' },
    });
    expect(await rows()).toEqual([]);
  });

  test.each<[object, RegExp]>([
    [{ settings: { url } }, /description is missing/i],
    [{ description: 'x', settings: {} }, /url is missing/i],
    [{ description: 'x', settings: { url: 'ftp://example.com' } }, /http or https/],
    [{ description: 'x', settings: { url: 'http://user:secret@example.com' } }, /user name/],
    [{ description: 'x', settings: { url, events: ['build.exploded'] } }, /must be one of/],
    [{ description: 'x', settings: { url, token_mode: 'both' } }, /token, signature/i],
    [{ description: 'x', scope: 'some_projects', settings: { url } }, /at least one pipeline/],
    [
      {
        description: 'x',
        scope: 'some_teams',
        scope_uuids: ['0190a0a0-0000-7000-8000-000000000000'],
        settings: { url },
      },
      /not a team/,
    ],
    [{ description: 'x', build_states: { build_failed: 'often' }, settings: { url } }, /true or false/],
    [{ description: 'x', provider: 'pigeon', settings: { url } }, /webhook/],
  ])('an invalid notification service is refused with a reason and stores no row: %j', async (body, reason) => {
    const { status, body: answer } = await surfaces.rest(['post', path, body]);
    expect(status).toBe(422);
    expect(answer.message).toMatch(reason);
    expect(await rows()).toEqual([]);
  });

  test('a URL with characters that no URI has is shown in the form in which it is sent', async () => {
    for (const [sent, shown] of [
      ['https://bücher.example/hook', 'https://xn--bcher-kva.example/hook'],
      ['http://127.0.0.1:9/a{b}|ä?q=^#x y', 'http://127.0.0.1:9/a%7Bb%7D%7C%C3%A4?q=%5E#x%20y'],
      [`${url}?q=%20&x=1#f`, `${url}?q=%20&x=1#f`],
      [`${url}?q=%&x[]=1#a#b`, `${url}?q=%25&x%5B%5D=1#a%23b`],
      ['http://[::1]:9/hook', 'http://[::1]:9/hook'],
    ]) {
      const { id, settings } = await surfaces.read(['post', path, { description: 'x', settings: { url: sent } }]);
      expect(settings.url).toBe(shown);
      expect((await surfaces.rest(['delete', `${path}/${id}`])).status).toBe(204);
    }
  });

  test('notification services are refused to members, hidden from strangers, and limited to 15', async () => {
    const body = { description: 'hook', settings: { url } };
    expect((await surfaces.rest(['post', path, body], surfaces.world.member)).status).toBe(403);
    expect((await surfaces.rest(['get', path], surfaces.world.outsider)).status).toBe(404);
    for (let count = 0; count < 15; count += 1) await surfaces.read(['post', path, body]);
    const { status, body: answer } = await surfaces.rest(['post', path, body]);
    expect([status, answer.message]).toEqual([422, 'An organization may have at most 15 webhook services.']);
    const [one] = await rows();
    const hidden = await surfaces.rest(['get', `${path}/${one!.id}`], surfaces.world.outsider);
    const missing = await surfaces.rest(
      ['get', `${path}/0190a0a0-0000-7000-8000-000000000000`],
      surfaces.world.outsider,
    );
    expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
  });
});
