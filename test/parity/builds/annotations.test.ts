import express from 'express';
import supertest from 'supertest';
import { emojiRouter } from '../../../src/web/emojis.js';
import { listAnnotations } from '../../../src/operations/builds/annotations/list.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import { things, type Things, write, yaml } from '../writes/changes.js';

let surfaces: BothSurfaces;
let at: Things;
let job: string;
let builds: string;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  await surfaces.world.pipeline(yaml, { slug: 'app' });
  await surfaces.read(write('build.create').rest(await things(surfaces)));
  at = await things(surfaces);
  job = at.jobs.find((each) => each.type === 'command').id;
  builds = '/organizations/acme/pipelines/app/builds';
  for (const [context, priority, style] of [
    ['a', 3, 'success'],
    ['b', 10, 'error'],
    ['c', 1, undefined],
    ['d', 3, 'info'],
  ] as const) {
    surfaces.world.clock.advance(1);
    await surfaces.read(['post', `${builds}/1/annotations`, { body: `*${context}*`, context, priority, style }]);
    await surfaces.read([
      'post',
      `/organizations/acme/jobs/${job}/annotations`,
      { body: `of job ${context}`, context, priority, style },
    ]);
  }
});
afterAll(() => surfaces.close());

const fields = 'id uuid context style priority scope job { uuid } body { html text } createdAt updatedAt';
/** A style that is none has no word on /v2, where it reads as info (rest-facts 9.2). */
const style = (word: string) => (word === 'DEFAULT' ? 'info' : word.toLowerCase());
const ofGraphql = (node: Data) => ({
  id: node.uuid,
  context: node.context,
  style: style(node.style),
  scope: node.scope.toLowerCase(),
  job_id: node.job?.uuid ?? null,
  priority: node.priority,
  body_html: node.body.html,
  created_at: node.createdAt,
  updated_at: node.updatedAt,
});
const select = async (parameters: string, of = 'build') => {
  const document = `query ($build: ID!, $job: ID!) { build(uuid: $build) { annotations${of === 'build' ? parameters : ''} { count edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor } } }
    job(uuid: $job) { ... on JobTypeCommand { annotations${of === 'job' ? parameters : ''} { count edges { node { ${fields} } } } } } }`;
  const data = await surfaces.select([document, { build: at.build.id, job }]);
  return data[of].annotations;
};
const nodes = ({ edges }: Data) => edges.map(({ node }: Data) => node);
const contexts = (connection: Data) => nodes(connection).map(({ context }: Data) => context);

describe('annotations on both surfaces', () => {
  test('both surfaces show the same annotations of a build and of a job', async () => {
    const byId = (one: Data, other: Data) => (one.id < other.id ? -1 : 1);
    for (const [of, path] of [
      ['build', `${builds}/1/annotations`],
      ['job', `${builds}/1/jobs/${job}/annotations`],
    ] as const) {
      const reply = await surfaces.read(['get', path]);
      expect(reply).toHaveLength(4);
      expect(
        nodes(await select('(first: 10)', of))
          .map(ofGraphql)
          .sort(byId),
      ).toEqual([...reply].sort(byId));
    }
  });

  test('an annotation is found by its node id, and is null to strangers', async () => {
    const [shown] = await surfaces.read(['get', `${builds}/1/annotations`]);
    const id = Buffer.from(`Annotation---${shown.id}`).toString('base64');
    const node = (person?: typeof surfaces.world.outsider) =>
      surfaces.select(
        [`query ($id: ID!) { node(id: $id) { __typename ... on Annotation { ${fields} } } }`, { id }],
        person,
      );
    const found = (await node()).node;
    expect([found.__typename, found.id, found.body.text]).toEqual(['Annotation', id, '*b*']);
    expect(ofGraphql(found)).toEqual(shown);
    expect(await node(surfaces.world.outsider)).toEqual({ node: null });
  });

  test('annotations are ordered newest first or by priority', async () => {
    expect(contexts(await select(''))).toEqual(['d', 'c', 'b', 'a']);
    expect(contexts(await select('(order: PRIORITY_RECENTLY_CREATED)'))).toEqual(['b', 'd', 'a', 'c']);
    expect(contexts(await select('(order: PRIORITY_RECENTLY_CREATED)', 'job'))).toEqual(['b', 'd', 'a', 'c']);
    expect((await surfaces.read(['get', `${builds}/1/annotations`])).map(({ context }: Data) => context)).toEqual([
      'b',
      'a',
      'd',
      'c',
    ]);
  });

  test('annotations are filtered by style, including none, and by scope', async () => {
    expect(contexts(await select('(style: [SUCCESS, DEFAULT])'))).toEqual(['c', 'a']);
    expect(contexts(await select('(style: ERROR)', 'job'))).toEqual(['b']);
    expect(contexts(await select('(style: WARNING)'))).toEqual([]);
    expect((await select('(scope: [BUILD, JOB])')).count).toBe(8);
    expect(nodes(await select('(scope: JOB)')).map(({ scope }: Data) => scope)).toEqual(['JOB', 'JOB', 'JOB', 'JOB']);
  });

  test('annotations are paged by cursors in every order and direction', async () => {
    const first = await select('(first: 3)');
    expect([contexts(first), first.count, first.pageInfo.hasNextPage]).toEqual([['d', 'c', 'b'], 4, true]);
    expect(contexts(await select(`(first: 3, after: "${first.pageInfo.endCursor}")`))).toEqual(['a']);
    const { world } = surfaces;
    for (const order of ['shown', 'priority', 'created']) {
      const list = (paging: object) =>
        world.perform(world.admin, listAnnotations, { of: { build: { id: at.build.id } }, order, paging });
      const all = await list({});
      const walked: string[] = [];
      for (let after: string | null = null; ;) {
        const page: Awaited<ReturnType<typeof list>> = await list({ first: 1, after });
        walked.push(...page.rows.map(({ id }) => id));
        if (!page.hasNext) break;
        after = page.cursor(page.rows[0] as never);
      }
      expect([order, walked]).toEqual([order, all.rows.map(({ id }) => id)]);
      const last = all.rows.at(-1) as never;
      expect((await list({ last: 2, before: all.cursor(last) })).rows.map(({ id }) => id)).toEqual(
        all.rows.slice(1, 3).map(({ id }) => id),
      );
    }
  });

  test('annotations of a hidden build or job are not found', async () => {
    const { world } = surfaces;
    for (const of of [{ build: { id: at.build.id } }, { job: { id: job } }]) {
      expect((await world.perform(world.admin, listAnnotations, { of, paging: {} })).rows.length).toBeGreaterThan(0);
      await expect(world.perform(world.outsider, listAnnotations, { of, paging: {} })).rejects.toThrow('Not Found');
    }
  });
});

test('a query for annotations of builds and jobs runs the same number of statements however many there are', async () => {
  const { services } = surfaces.world;
  const document = `{ pipeline(slug: "acme/app") { builds(first: 10) { nodes { annotations(first: 5, scope: [BUILD, JOB]) { count nodes { job { uuid } body { html text } } } jobs(first: 5) { nodes { ... on JobTypeCommand { annotations(first: 5) { count nodes { context } } } } } } } } }`;
  const statements = async () => {
    let builds = 0;
    const { sent } = await StatementGauge.during(services, async () => {
      const { pipeline } = await surfaces.select([document]);
      builds = pipeline.builds.nodes.length;
    });
    return { builds, count: sent };
  };
  const few = await statements();
  for (let index = 0; index < 3; index += 1) {
    await surfaces.read(write('build.create').rest(at));
    const latest = await things(surfaces);
    await surfaces.read(write('annotation.create').rest(latest));
    await surfaces.read([
      'post',
      `/organizations/acme/jobs/${latest.jobs.find(({ type }) => type === 'command').id}/annotations`,
      { body: 'x' },
    ]);
  }
  const many = await statements();
  expect([few, many]).toEqual([
    { builds: 1, count: expect.any(Number) },
    { builds: 4, count: few.count },
  ]);
});

describe('annotation mutations', () => {
  const annotate = async (field: string, input: object, payload: string) => {
    const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input!`;
    return (
      await surfaces.select([
        `mutation ($input: ${type}) { ${field}(input: $input) { clientMutationId ${payload} } }`,
        { input: { clientMutationId: 'x', ...input } },
      ])
    )[field];
  };
  const node = (kind: string, id: string) => Buffer.from(`${kind}---${id}`).toString('base64');

  test('buildAnnotate creates, replaces and appends, and changes style and priority', async () => {
    const payload = `annotation { ${fields} } annotationEdge { cursor node { uuid } } build { uuid }`;
    const buildID = node('Build', at.build.id);
    const made = await annotate('buildAnnotate', { buildID, body: 'one' }, payload);
    expect(made).toMatchObject({
      clientMutationId: 'x',
      annotation: {
        context: 'default',
        style: 'DEFAULT',
        priority: 3,
        scope: 'BUILD',
        job: null,
        body: { html: '<p>one</p>\n', text: 'one' },
      },
      annotationEdge: { node: { uuid: made.annotation.uuid } },
      build: { uuid: at.build.id },
    });
    expect(contexts(await select(`(first: 1, after: "${made.annotationEdge.cursor}")`))).toEqual(['d']);
    expect(
      (await annotate('buildAnnotate', { buildID, body: '!', append: true, style: 'WARNING' }, payload)).annotation,
    ).toMatchObject({ style: 'WARNING', body: { text: 'one!' } });
    expect(
      (await annotate('buildAnnotate', { buildID, style: 'ERROR', priority: 9 }, payload)).annotation,
    ).toMatchObject({ style: 'ERROR', priority: 9, body: { text: 'one!' } });
    expect((await annotate('buildAnnotate', { buildID: at.build.id, body: 'two' }, payload)).annotation).toMatchObject({
      uuid: made.annotation.uuid,
      style: 'DEFAULT',
      priority: 3,
      body: { text: 'two' },
    });
    const deleted = await annotate(
      'annotationDelete',
      { id: made.annotation.id },
      'deletedAnnotationId build { uuid }',
    );
    expect(deleted).toMatchObject({ deletedAnnotationId: made.annotation.id, build: { uuid: at.build.id } });
    const again = await surfaces.graphql([
      'mutation ($id: ID!) { annotationDelete(input: { id: $id }) { deletedAnnotationId } }',
      { id: made.annotation.id },
    ]);
    expect(again.errors?.[0].extensions.code).toBe('NOT_FOUND');
  });

  test('jobAnnotate annotates a job that runs a command, and no other', async () => {
    const payload = `annotation { ${fields} } job { uuid }`;
    const made = await annotate(
      'jobAnnotate',
      { jobId: node('JobTypeCommand', job), body: 'x', context: 'mine', style: 'SUCCESS' },
      payload,
    );
    expect(made).toMatchObject({
      annotation: { context: 'mine', style: 'SUCCESS', scope: 'JOB', job: { uuid: job } },
      job: { uuid: job },
    });
    const block = at.jobs.find((each) => each.type === 'block').id;
    const { errors } = await surfaces.graphql([
      'mutation ($jobId: ID!) { jobAnnotate(input: { jobId: $jobId, body: "x" }) { annotation { id } } }',
      { jobId: block },
    ]);
    expect(errors?.[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('emojis and the meta endpoint on both surfaces', () => {
  test('every emoji has a name and a picture that exists [compat:5]', async () => {
    const reply: Data[] = await surfaces.read(['get', '/organizations/acme/emojis/']);
    const { organization } = await surfaces.select(['{ organization(slug: "acme") { emojis { name aliases url } } }']);
    expect(
      organization.emojis.map(({ name, aliases, url }: Data) => ({
        name,
        url,
        ...(aliases.length ? { aliases } : {}),
      })),
    ).toEqual(reply);
    expect(reply.length).toBeGreaterThan(1800);
    expect(reply).toContainEqual({ name: 'boom', url: 'http://slipway.test/emojis/boom.svg', aliases: ['collision'] });
    const app = express().use('/emojis', emojiRouter());
    for (const name of ['rocket', '+1', 'collision']) {
      const emoji = reply.find((each) => each.name === name || each.aliases?.includes(name));
      const picture = await supertest(app).get(new URL(emoji.url).pathname);
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect(picture.body.toString()).toContain('<text');
    }
    expect((await supertest(app).get('/emojis/nothing.svg')).status).toBe(404);
  });

  test('the emojis_url of an organization lists its emojis to any token of a member and is hidden from strangers', async () => {
    const { emojis_url: url } = await surfaces.read(['get', '/organizations/acme']);
    const bare = await surfaces.world.personWithToken(surfaces.world.member.id, surfaces.world.member.email, {
      scopes: [],
    });
    const path = new URL(url).pathname.replace('/v2', '');
    expect(await surfaces.rest(['get', path], bare)).toMatchObject({ status: 200 });
    expect(await surfaces.rest(['get', path], surfaces.world.outsider)).toMatchObject({
      status: 404,
      body: { message: 'Not Found' },
    });
  });

  test('the meta endpoint lists the addresses that webhooks come from, also without a token', async () => {
    expect(await surfaces.read(['get', '/meta'])).toEqual({ webhook_ips: [] });
    const { services } = surfaces.world;
    services.webhookIps = ['192.0.2.0/24', '2001:db8::1'];
    const { meta } = await surfaces.select(['{ meta { webhookIps } }']);
    expect(meta.webhookIps).toEqual(services.webhookIps);
    expect(await surfaces.rest(['get', '/meta'], { ...surfaces.world.admin, authorization: '' })).toMatchObject({
      status: 200,
      body: { webhook_ips: services.webhookIps },
    });
  });
});
