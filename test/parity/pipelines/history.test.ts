import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { webhookTokenOf } from '../../../src/resources/pipelines/url-token.js';

const shape =
  'uuid sequence type from to reason agentUuid timestamp data actor { type uuid node { ... on User { name } ... on Agent { name } } } job { ... on JobTypeCommand { uuid } ... on JobTypeBlock { uuid } }';
const asRest = (event: Data) => ({
  id: event.uuid,
  sequence: event.sequence,
  type: event.type,
  from: event.from,
  to: event.to,
  reason: event.reason,
  agent_id: event.agentUuid,
  created_at: event.timestamp,
  data: JSON.parse(event.data),
  job_id: event.job?.uuid ?? null,
  actor: { type: event.actor.type.toLowerCase(), id: event.actor.uuid, name: event.actor.node?.name ?? null },
});

describe('histories, favorites and webhook URLs on both surfaces', () => {
  let surfaces: BothSurfaces;
  let pipeline: Data;
  const one = '/organizations/acme/pipelines/app';
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    pipeline = await surfaces.read([
      'post',
      '/organizations/acme/pipelines',
      {
        name: 'App',
        repository: 'https://github.com/acme/app',
        configuration: 'steps:\n  - command: one\n  - block: ok',
      },
    ]);
  });
  afterAll(() => surfaces.close());

  const newBuild = (): Promise<Data> => surfaces.read(['post', `${one}/builds`, { commit: 'HEAD', branch: 'main' }]);
  const cancel =
    'mutation ($input: JobTypeCommandCancelInput!) { jobTypeCommandCancel(input: $input) { jobTypeCommand { uuid state } } }';

  test('canceling a job leaves the same rows and events by either REST path and by GraphQL', async () => {
    const { db } = surfaces.world.services;
    const outcomes: Data[] = [];
    for (const door of ['build', 'organization', 'schema']) {
      const build = await newBuild();
      const [job] = build.jobs;
      if (door === 'schema') await surfaces.select([cancel, { input: { id: job.graphql_id } }]);
      else {
        const path =
          door === 'build' ? `${one}/builds/${build.number}/jobs/${job.id}` : `/organizations/acme/jobs/${job.id}`;
        expect(await surfaces.read(['put', `${path}/cancel`])).toMatchObject({ id: job.id, state: 'canceled' });
        const again = await surfaces.rest(['put', `${path}/cancel`]);
        expect([again.status, again.body.state ?? again.body.message]).toEqual(
          again.status === 200 ? [200, 'canceled'] : [422, expect.stringContaining('canceled')],
        );
      }
      const row = await db
        .selectFrom('jobs')
        .select(['state', 'canceledById', 'exitStatus'])
        .where('id', '=', job.id)
        .executeTakeFirstOrThrow();
      const events = await db
        .selectFrom('events')
        .select(['type', 'fromState', 'toState', 'reason', 'actorId'])
        .where('buildId', '=', build.id)
        .orderBy('sequence')
        .execute();
      outcomes.push({ row, events });
    }
    expect(outcomes[0].row).toMatchObject({ state: 'canceled', canceledById: surfaces.world.admin.id });
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(outcomes[0]);
  });

  test('a job of a finished build cannot be canceled, and a job of a hidden build is answered as absent', async () => {
    const build = await newBuild();
    const [job] = build.jobs;
    const path = `${one}/builds/${build.number}/jobs/${job.id}/cancel`;
    const missing = await surfaces.rest(['put', path.replace(job.id, build.id)]);
    expect(missing.status).toBe(404);
    expect((await surfaces.rest(['put', path], surfaces.world.outsider)).text).toBe(missing.text);
    expect((await surfaces.read(['get', `${one}/builds/${build.number}`])).jobs[0].state).toBe('scheduled');
  });

  test('both surfaces list the same build history, forward, backward and one event at a time', async () => {
    const build = await newBuild();
    const path = `${one}/builds/${build.number}/events`;
    await surfaces.read(['put', `${one}/builds/${build.number}/jobs/${build.jobs[0].id}/cancel`]);
    const { items } = await surfaces.read(['get', `${path}?per_page=100`]);
    expect(items.map(({ sequence }: Data) => sequence)).toEqual(items.map((_: Data, index: number) => index + 1));
    const ofBuild = items.filter(({ job_id }: Data) => job_id === null);
    expect(ofBuild[0]).toMatchObject({
      type: 'build.create',
      to: 'creating',
      actor: { type: 'user', id: surfaces.world.admin.id },
    });
    const { build: read } = await surfaces.select([
      `{ build(uuid: "${build.id}") { events(first: 100) { count nodes { ${shape} } } } }`,
    ]);
    expect(read.events.count).toBe(items.length);
    expect(read.events.nodes.map(asRest)).toEqual(items);

    const page = await surfaces.read(['get', `${path}?per_page=2`]);
    const next = await surfaces.read(['get', page.links.next.replace(/^.*\/v2/, '')]);
    expect([...page.items, ...next.items]).toEqual(items.slice(0, 4));
    expect((await surfaces.read(['get', next.links.prev.replace(/^.*\/v2/, '')])).items).toEqual(page.items);

    const job = build.jobs[0];
    const ofJob = items.filter(({ job_id }: Data) => job_id === job.id);
    expect(ofJob.length).toBeGreaterThan(1);
    expect((await surfaces.read(['get', `${path}?job=${job.id}`])).items).toEqual(ofJob);
    const narrowed = await surfaces.select([
      `{ build(uuid: "${build.id}") { events(job: "${job.graphql_id}") { nodes { ${shape} } } } }`,
    ]);
    expect(narrowed.build.events.nodes.map(asRest)).toEqual(ofJob);
    expect((await surfaces.read(['get', `${path}?job=nothing`])).items).toEqual([]);

    for (const event of [ofBuild[0], ofJob[0]])
      expect(await surfaces.read(['get', `${path}/${event.id}`])).toEqual(event);
    const ids = [ofBuild[0], ofJob[0]].map(({ id }) => Buffer.from(`JobEvent---${id}`).toString('base64'));
    expect(await surfaces.select([`{ a: node(id: "${ids[0]}") { id } b: node(id: "${ids[1]}") { id } }`])).toEqual({
      a: null,
      b: { id: ids[1] },
    });
    const other = await newBuild();
    expect((await surfaces.rest(['get', `${one}/builds/${other.number}/events/${items[0].id}`])).status).toBe(404);
    for (const url of [path, `${path}/${items[0].id}`])
      expect((await surfaces.rest(['get', url], surfaces.world.outsider)).status).toBe(404);
  });

  test('the histories of many builds are read with their builds', async () => {
    const { pipeline: read } = await surfaces.select([
      '{ pipeline(slug: "acme/app") { builds(first: 10) { nodes { uuid events(first: 1) { count nodes { type sequence } } } } } }',
    ]);
    expect(read.builds.nodes.length).toBeGreaterThan(2);
    for (const { events } of read.builds.nodes)
      expect([events.count > 1, events.nodes.map(({ sequence }: Data) => sequence)]).toEqual([true, [1]]);
  });

  test(`favorites can be added, listed and removed on either surface (${'pipeline.favorite'})`, async () => {
    const { member } = surfaces.world;
    const favorites = async () =>
      (await surfaces.read(['get', '/organizations/acme/pipelines?favorite=true'], member)).map(
        ({ slug }: Data) => slug,
      );
    const shown = async () =>
      (await surfaces.select(['{ pipeline(slug: "acme/app") { favorite } }'], member)).pipeline.favorite;
    const mutation =
      'mutation ($input: PipelineFavoriteInput!) { pipelineFavorite(input: $input) { pipeline { favorite } } }';
    for (const mark of [0, 1]) {
      expect((await surfaces.rest(['put', `${one}/favorite`], member)).status).toBe(204);
      expect([mark, await favorites(), await shown()]).toEqual([mark, ['app'], true]);
    }
    await surfaces.select([mutation, { input: { id: pipeline.graphql_id, favorite: false } }], member);
    expect([await favorites(), await shown()]).toEqual([[], false]);
    await surfaces.select([mutation, { input: { id: pipeline.graphql_id, favorite: true } }], member);
    expect(await favorites()).toEqual(['app']);
    expect((await surfaces.rest(['delete', `${one}/favorite`], member)).status).toBe(204);
    expect([await favorites(), await shown()]).toEqual([[], false]);
    expect(await surfaces.read(['get', '/organizations/acme/pipelines?favorite=false'], member)).toHaveLength(1);
    expect((await surfaces.rest(['put', `${one}/favorite`], surfaces.world.outsider)).status).toBe(404);
  });

  test('a webhook URL can be rotated on either surface by anyone who may manage the pipeline', async () => {
    const { db } = surfaces.world.services;
    const token = async () =>
      webhookTokenOf(
        surfaces.world.services,
        await db
          .selectFrom('pipelines')
          .select(['id', 'webhookTokenSealed', 'webhookToken'])
          .where('id', '=', pipeline.id)
          .executeTakeFirstOrThrow(),
      );
    const first = await token();
    const shown = await surfaces.read(['post', `${one}/webhook/rotate`]);
    const second = await token();
    expect(second).not.toBe(first);
    expect(shown.provider.webhook_url).toContain(second);
    await surfaces.select([
      `mutation { pipelineRotateWebhookURL(input: { id: "${pipeline.graphql_id}" }) { pipeline { uuid } } }`,
    ]);
    const third = await token();
    expect([first, second]).not.toContain(third);
    const events = await db
      .selectFrom('events')
      .select(['type', 'subject', 'data'])
      .where('type', '=', 'pipeline.rotate-webhook-url')
      .execute();
    expect(events).toHaveLength(2);
    expect(events[1]).toEqual(events[0]);
    expect((await surfaces.rest(['post', `${one}/webhook/rotate`], surfaces.world.outsider)).status).toBe(404);
    await surfaces.read(['post', `${one}/archive`]);
    expect((await surfaces.rest(['post', `${one}/webhook/rotate`])).status).toBe(422);
    await surfaces.read(['post', `${one}/unarchive`]);
    expect(await token()).toBe(third);
  });

  test('both surfaces show the same user, hidden from those who share no organization', async () => {
    const { member, outsider, admin } = surfaces.world;
    const user = await surfaces.read(['get', `/users/${member.id}`]);
    const { node } = await surfaces.select([
      `{ node(id: "${user.graphql_id}") { id ... on User { uuid name email avatar { url } } } }`,
    ]);
    expect({
      id: node.uuid,
      graphql_id: node.id,
      name: node.name,
      email: node.email,
      avatar_url: node.avatar.url,
    }).toEqual({ ...user, created_at: undefined });
    const missing = await surfaces.rest(['get', `/users/${pipeline.id}`]);
    expect(missing.status).toBe(404);
    for (const id of [member.id, admin.id, 'nobody'])
      expect((await surfaces.rest(['get', `/users/${id}`], outsider)).text).toBe(missing.text);
    expect((await surfaces.read(['get', `/users/${outsider.id}`], outsider)).id).toBe(outsider.id);
  });

  test('both surfaces list the same teams of a pipeline', async () => {
    const { world } = surfaces;
    const team = await surfaces.read(['post', '/organizations/acme/teams', { name: 'Core' }]);
    await surfaces.read([
      'post',
      `/organizations/acme/teams/${team.id}/pipelines`,
      { pipeline_id: pipeline.id, access_level: 'build_and_read' },
    ]);
    const listed = await surfaces.read(['get', `${one}/teams`]);
    const { pipeline: read } = await surfaces.select([
      '{ pipeline(slug: "acme/app") { teams(first: 10) { nodes { accessLevel createdAt team { uuid name slug } } } } }',
    ]);
    expect(listed.map(({ team_url: _url, ...access }: Data) => access)).toEqual(
      read.teams.nodes.map(({ accessLevel, createdAt, team: of }: Data) => ({
        access_level: accessLevel.toLowerCase(),
        created_at: createdAt,
        team_id: of.uuid,
        team_name: of.name,
        team_slug: of.slug,
      })),
    );
    expect(listed).toMatchObject([
      {
        team_id: team.id,
        access_level: 'build_and_read',
        team_url: expect.stringContaining(`/v2/organizations/acme/teams/${team.id}`),
      },
    ]);
    expect(await surfaces.read(['get', `${one}/teams?search=nothing`])).toEqual([]);
    expect((await surfaces.rest(['get', `${one}/teams`], world.outsider)).status).toBe(404);
  });
});
