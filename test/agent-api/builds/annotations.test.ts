import type { Express } from 'express';
import { limits } from '../../../src/domain/limits/limits.js';
import { annotationHtml } from '../../../src/resources/builds/annotations/body-html.js';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('annotations from inside a job', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  async function running() {
    const { build } = await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const job = await agent.takeJob();
    const annotate = (body: object, token = agent.jobToken) =>
      agent.call('post', `/jobs/${job}/annotations`, token).send(body);
    const remove = (context: string, query = '') =>
      agent.call(
        'delete',
        `/jobs/${job}/annotations/${encodeURIComponent(context).replaceAll('.', '%2E')}${query}`,
        agent.jobToken,
      );
    const rows = () =>
      world.services.db.selectFrom('annotations').selectAll().where('buildId', '=', build.id).orderBy('id').execute();
    return { agent, build, job, annotate, remove, rows };
  }

  test('a job annotates its build, by default with context default, no style and priority 3 [api-v2:gjbnam,cahapb]', async () => {
    const { annotate, rows } = await running();
    const reply = await annotate({ body: 'Hello :tada:' }).expect(201);
    expect(reply.body).toEqual({});
    const [row] = await rows();
    expect(row).toMatchObject({
      context: 'default',
      style: null,
      priority: 3,
      jobId: null,
      body: 'Hello :tada:',
      bodyHtml: null,
    });
    expect(await annotationHtml(world.system(), row!.id)).toBe('<p>Hello 🎉</p>\n');
    expect(await rows()).toMatchObject([{ bodyHtml: '<p>Hello 🎉</p>\n' }]);
    const event = await world.services.db
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'annotation.create')
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({ actorType: 'agent', subject: 'build' });
  });

  test('annotating a context again replaces or appends to its body; a request without a body changes only style and priority', async () => {
    const { annotate, rows } = await running();
    await annotate({ body: 'one', context: 'c', style: 'info', priority: 3, scope: 'build' }).expect(201);
    await annotate({ body: 'two', context: 'c', append: true, style: '', scope: '' }).expect(201);
    await annotate({ context: 'c', style: 'error', priority: 8 }).expect(201);
    expect(await rows()).toMatchObject([{ body: 'onetwo', style: 'error', priority: 8 }]);
    await annotate({ body: 'new', context: 'c', style: 'default' }).expect(201);
    expect(await rows()).toMatchObject([{ body: 'new', style: null, priority: 3 }]);
  });

  test('an annotation belongs to the job when its scope is job', async () => {
    const { annotate, rows, remove, job } = await running();
    await annotate({ body: 'of build', context: 'c' }).expect(201);
    await annotate({ body: 'of job', context: 'c', scope: 'job' }).expect(201);
    expect(await rows()).toMatchObject([{ jobId: null }, { jobId: job }]);
    await remove('c', '?scope=job').expect(200);
    expect(await rows()).toMatchObject([{ body: 'of build' }]);
  });

  test('an annotation is removed by its context, whatever characters that has, and an unknown context is answered 404', async () => {
    const { annotate, rows, remove } = await running();
    const names = ['default', 'a.b/c d', 'ünï%:?'];
    for (const context of names) await annotate({ body: 'x', context }).expect(201);
    for (const [index, context] of names.entries()) {
      await remove(context, index % 2 ? '' : '?scope=build').expect(200);
      await remove(context).expect(404);
    }
    expect(await rows()).toEqual([]);
  });

  test.each<[string, object]>([
    ['an unknown style', { body: 'x', style: 'red' }],
    ['an unknown scope', { body: 'x', scope: 'pipeline' }],
    ['a priority past ten', { body: 'x', priority: 11 }],
    ['a long context', { body: 'x', context: 'c'.repeat(101) }],
    ['more than a mebibyte', { body: 'x '.repeat(limits.annotationBodyBytes / 2 + 1) }],
    ['neither a body nor an existing annotation', { style: 'info' }],
  ])('an annotation request with %s is refused with a message', async (_what, body) => {
    const { annotate, rows } = await running();
    const reply = await annotate(body).expect(422);
    expect(reply.body).toEqual({ message: expect.stringMatching(/^Validation Failed: \w+ /) });
    expect(await rows()).toEqual([]);
  });

  test('removing an annotation with an unknown scope is refused and removes nothing', async () => {
    const { annotate, rows, remove } = await running();
    await annotate({ body: 'x' }).expect(201);
    await remove('default', '?scope=all').expect(422);
    expect(await rows()).toHaveLength(1);
  });

  test('only the agent that holds the job may annotate, until shortly after the job ends', async () => {
    const one = await running();
    const two = await running();
    await two.agent.call('post', `/jobs/${one.job}/annotations`, two.agent.jobToken).send({ body: 'x' }).expect(404);
    await two.agent.call('post', `/jobs/${one.job}/annotations`).send({ body: 'x' }).expect(422);
    await two.agent.call('delete', `/jobs/${one.job}/annotations/default`).expect(422);
    await one.annotate({ body: 'x' }, 'nonsense').expect(401);
    expect(await one.rows()).toEqual([]);
    await one.agent.finish(one.job).expect(200);
    await one.annotate({ body: 'late' }).expect(201);
    world.clock.advance(2 * 60 * 60);
    await one.annotate({ body: 'too late' }).expect(401);
    expect(await one.rows()).toMatchObject([{ body: 'late' }]);
  });

  test('ten simultaneous requests to one context lose no appended text and create one annotation', async () => {
    const { annotate, rows } = await running();
    const words = Array.from({ length: 10 }, (_, index) => `<${index}>`);
    const replies = await Promise.all(words.map((word) => annotate({ body: word, context: 'sum', append: true })));
    expect(replies.map(({ status }) => status)).toEqual(words.map(() => 201));
    const all = await rows();
    expect(all).toHaveLength(1);
    expect(all[0]?.body).toHaveLength(words.join('').length);
    for (const word of words) expect(all[0]?.body).toContain(word);
    await Promise.all(words.map((word) => annotate({ body: word, context: 'last' })));
    const last = (await rows()).filter(({ context }) => context === 'last');
    expect(last).toHaveLength(1);
    expect(words).toContain(last[0]?.body);
  });
});
