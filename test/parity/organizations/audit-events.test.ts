import { BothSurfaces, type Data } from '../../support/both-surfaces.js';

const selection = `id uuid type operation occurredAt data
  actor { id uuid name type node { __typename ... on User { uuid } } }
  subject { id uuid name type node { __typename ... on Pipeline { slug } ... on Cluster { uuid } ... on ClusterQueue { key } ... on Secret { key } ... on Team { slug } ... on Suite { slug } } }
  context { __typename ... on AuditAPIContext { requestApiAccessTokenUuid requestIpAddress requestUserAgent } ... on AuditWebContext { sessionUserUuid } ... on AuditAgentAPIContext { agentUuid } }`;

/** Converts an audit event of REST to the form of the GraphQL schema. */
const screaming = (name: string) =>
  name
    .replace(/Event$/, '')
    .replace(/^API/, 'Api')
    .replace(/^SCM/, 'Scm')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase();
const asRest = (event: Data) => ({
  uuid: event.uuid,
  graphql_id: event.id,
  type: event.type,
  operation: event.operation,
  occurred_at: event.occurredAt,
  actor: event.actor && { type: event.actor.type, uuid: event.actor.uuid, name: event.actor.name },
  subject: event.subject && { type: event.subject.type, uuid: event.subject.uuid, name: event.subject.name },
  context: event.context && {
    type: event.context.__typename.replace('Audit', ''),
    request_ip: event.context.requestIpAddress,
    request_user_agent: event.context.requestUserAgent,
    request_api_access_token_uuid: event.context.requestApiAccessTokenUuid,
  },
  data: JSON.parse(event.data),
});
const inWords = ({ url: _url, ...event }: Data) => ({
  ...event,
  type: screaming(event.type),
  actor: event.actor && { ...event.actor, type: screaming(event.actor.type) },
  subject: event.subject && { ...event.subject, type: screaming(event.subject.type) },
});

describe('audit events on both surfaces', () => {
  let surfaces: BothSurfaces;
  let pipeline: Data;
  let cluster: Data;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ teamsEnabled: true });
    pipeline = await surfaces.read([
      'post',
      '/organizations/acme/pipelines',
      { name: 'App', repository: 'https://github.com/acme/app', configuration: 'steps:\n  - command: x' },
    ]);
    cluster = await surfaces.read(['post', '/organizations/acme/clusters', { name: 'Mac' }]);
    await surfaces.read(['post', `/organizations/acme/clusters/${cluster.id}/queues`, { key: 'mini' }]);
    await surfaces.read([
      'post',
      `/organizations/acme/clusters/${cluster.id}/secrets`,
      { key: 'KEY', value: 'hidden-value' },
    ]);
    await surfaces.read(['post', '/organizations/acme/teams', { name: 'Core' }]);
    await surfaces.read([
      'post',
      '/organizations/acme/services',
      { description: 'hook', settings: { url: 'http://127.0.0.1:9/hook' } },
    ]);
    await surfaces.read(['post', '/organizations/acme/pipelines/app/builds', { commit: 'HEAD', branch: 'main' }]);
    await surfaces.read(['post', '/organizations/acme/pipelines/app/archive']);
  });
  afterAll(() => surfaces.close());

  const path = '/organizations/acme/audit_events';
  const list = async (query = ''): Promise<Data[]> =>
    (await surfaces.read(['get', `${path}?per_page=100&${query}`])).items;
  const graphql = async (given = 'first: 500'): Promise<Data> =>
    (
      await surfaces.select([
        `{ organization(slug: "acme") { auditEvents(${given}) { count nodes { ${selection} } } } }`,
      ])
    ).organization.auditEvents;

  test('both surfaces list the same audit events newest first, and REST names an event without a GraphQL type by its operation', async () => {
    const all = await list();
    expect(all.map(({ operation }) => operation)).toEqual([
      'pipeline.archive',
      'build.create',
      'notification-service.create',
      'team.create',
      'secret.create',
      'queue.create',
      'cluster.create',
      'pipeline.create',
    ]);
    expect(all[1]).toMatchObject({
      type: 'BuildCreateEvent',
      operation: 'build.create',
      subject: { type: 'Build', name: null },
    });
    const worded = all.filter(({ operation }) => operation !== 'build.create');
    const { count, nodes } = await graphql();
    expect(count).toBe(worded.length);
    expect(nodes.map(asRest)).toEqual(worded.map(inWords));
    expect(worded[0]).toMatchObject({
      type: 'PipelineUpdatedEvent',
      actor: { type: 'User', uuid: surfaces.world.admin.id },
      subject: { type: 'Pipeline', uuid: pipeline.id, name: 'App' },
      context: { type: 'APIContext' },
      data: {},
    });
    expect(JSON.stringify([all, nodes])).not.toContain('hidden-value');
    expect(nodes.map((event: Data) => event.subject.node.__typename)).toEqual([
      'Pipeline',
      'NotificationServiceWebhook',
      'Team',
      'Secret',
      'ClusterQueue',
      'Cluster',
      'Pipeline',
    ]);
    expect(nodes[0].actor.node).toEqual({ __typename: 'User', uuid: surfaces.world.admin.id });
  });

  test('an audit event is the same by UUID, node id and REST path', async () => {
    const [archived, built] = await list();
    expect(await surfaces.read(['get', `${path}/${archived.uuid}`])).toEqual(archived);
    const read = await surfaces.select([
      `{ auditEvent(uuid: "${archived.uuid}") { ${selection} } node(id: "${archived.graphql_id}") { ... on AuditEvent { ${selection} } } }`,
    ]);
    expect(asRest(read.auditEvent)).toEqual(inWords(archived));
    expect(read.node).toEqual(read.auditEvent);
    expect(await surfaces.read(['get', `${path}/${built.uuid}`])).toMatchObject({ operation: 'build.create' });
    expect(
      await surfaces.select([`{ auditEvent(uuid: "${built.uuid}") { uuid } node(id: "${built.graphql_id}") { id } }`]),
    ).toEqual({ auditEvent: null, node: null });
  });

  test('filters select the same audit events on both surfaces', async () => {
    const subject = Buffer.from(`Pipeline---${pipeline.id}`).toString('base64');
    const actor = Buffer.from(`User---${surfaces.world.admin.id}`).toString('base64');
    const both: [string, string, number][] = [
      ['type=PIPELINE_UPDATED', 'type: PIPELINE_UPDATED', 1],
      ['type[]=CLUSTER_CREATED&type[]=cluster_queue_created', 'type: [CLUSTER_CREATED, CLUSTER_QUEUE_CREATED]', 2],
      ['type=REGISTRY_CREATED', 'type: REGISTRY_CREATED', 0],
      [`subject=${pipeline.id}`, `subjectUUID: "${pipeline.id}"`, 2],
      [`subject=${encodeURIComponent(subject)}`, `subject: "${subject}"`, 2],
      ['subject=nothing', 'subject: "nothing"', 0],
      ['subject_type=CLUSTER_QUEUE', 'subjectType: CLUSTER_QUEUE', 1],
      ['subject_type=REGISTRY', 'subjectType: REGISTRY', 0],
      [`actor=${surfaces.world.admin.id}&subject_type[]=PIPELINE`, `actor: "${actor}", subjectType: PIPELINE`, 2],
      [`actor=${surfaces.world.member.id}`, `actor: "${surfaces.world.member.id}"`, 0],
      ['actor_type=AGENT', 'actorType: AGENT', 0],
      ['actor_type=USER&subject_type=SECRET', 'actorType: USER, subjectType: SECRET', 1],
      ['occurred_at_from=2200-01-01', 'occurredAtFrom: "2200-01-01"', 0],
      ['occurred_at_to=2200-01-01&subject_type=TEAM', 'occurredAtTo: "2200-01-01T00:00:00.000", subjectType: TEAM', 1],
    ];
    for (const [query, given, size] of both) {
      const rest = await list(query);
      expect([query, rest.length]).toEqual([query, size]);
      expect([given, (await graphql(given)).nodes.map(asRest)]).toEqual([given, rest.map(inWords)]);
    }
    expect((await list('operation=build.create')).map(({ operation }) => operation)).toEqual(['build.create']);
    expect((await surfaces.rest(['get', `${path}?type=SOMETHING`])).status).toBe(400);
    expect((await surfaces.rest(['get', `${path}?occurred_at_from=now`])).status).toBe(400);
  });

  test('cursors lead through the whole audit log in both directions while it grows', async () => {
    const whole = (await list()).map(({ uuid }) => uuid);
    const first = await surfaces.read(['get', `${path}?per_page=3`]);
    await surfaces.read(['post', '/organizations/acme/pipelines/app/unarchive']);
    const seen = first.items.map(({ uuid }: Data) => uuid);
    let { links } = first;
    while (links.next) {
      const page = await surfaces.read(['get', new URL(links.next).href.replace(/^.*\/v2/, '')]);
      seen.push(...page.items.map(({ uuid }: Data) => uuid));
      links = page.links;
    }
    expect(seen).toEqual(whole);
    const { organization } = await surfaces.select([
      '{ organization(slug: "acme") { auditEvents(last: 2) { pageInfo { hasPreviousPage startCursor } nodes { operation } } } }',
    ]);
    expect(organization.auditEvents).toMatchObject({
      pageInfo: { hasPreviousPage: true },
      nodes: [{ operation: 'cluster.create' }, { operation: 'pipeline.create' }],
    });
    const before = await surfaces.select([
      `{ organization(slug: "acme") { auditEvents(last: 1, before: "${organization.auditEvents.pageInfo.startCursor}") { nodes { operation } } } }`,
    ]);
    expect(before.organization.auditEvents.nodes).toEqual([{ operation: 'queue.create' }]);
  });

  test('a deleted resource keeps its name in the audit log', async () => {
    await surfaces.rest(['delete', '/organizations/acme/pipelines/app']);
    const [event] = (await graphql('first: 1')).nodes;
    expect(event).toMatchObject({
      type: 'PIPELINE_DELETED',
      subject: { uuid: pipeline.id, name: 'App', type: 'PIPELINE', node: null },
    });
  });

  test('audit events are refused to members and hidden from strangers', async () => {
    const [event] = await list();
    const { member, outsider } = surfaces.world;
    const fields = `{ organization(slug: "acme") { auditEvents(first: 1) { count } } auditEvent(uuid: "${event.uuid}") { uuid } }`;
    const missing = await surfaces.rest(['get', `${path}/${member.id}`]);
    for (const url of [path, `${path}/${event.uuid}`]) {
      expect((await surfaces.rest(['get', url], member)).status).toBe(403);
      expect((await surfaces.rest(['get', url], outsider)).text).toBe(missing.text);
    }
    const refused = await surfaces.graphql([fields], member);
    expect(refused.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(refused.data).toEqual({ organization: { auditEvents: null }, auditEvent: null });
    expect((await surfaces.graphql([fields], outsider)).data).toEqual({ organization: null, auditEvent: null });
    expect((await surfaces.rest(['get', `/organizations/other/audit_events/${event.uuid}`], outsider)).status).toBe(
      404,
    );
  });
});
