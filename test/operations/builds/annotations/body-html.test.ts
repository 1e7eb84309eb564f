import { Context } from '../../../../src/request/context.js';
import type { Services } from '../../../../src/services/services.js';
import { limits } from '../../../../src/domain/limits/limits.js';
import { annotationHtml } from '../../../../src/resources/builds/annotations/body-html.js';
import { createAnnotation } from '../../../../src/operations/builds/annotations/create.js';
import { createBuild } from '../../../../src/operations/builds/create.js';
import { performAndRender } from '../../../../src/core/operation.js';
import type { Workers } from '../../../../src/workers/pool.js';
import { World } from '../../../support/world.js';
import { testWorkers } from '../../../support/workers/pool.js';

describe('the HTML of an annotation', () => {
  let world: World;
  let build: string;
  let pool: Workers;
  beforeAll(async () => {
    world = await World.create();
    await world.pipeline('steps: [{ command: a }]', { slug: 'app' });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    ({
      build: { id: build },
    } = await world.perform(world.admin, createBuild, {
      pipeline: { organization: 'acme', slug: 'app' },
      commit: 'HEAD',
      branch: 'main',
    }));
    pool = testWorkers({ threads: 1 });
  });
  afterEach(() => pool.close());

  const write = async (body: string, append = false) =>
    (await world.perform(world.admin, createAnnotation, { of: { build: { id: build } }, body, append })).annotation.id;
  const storedHtml = async (id: string) =>
    (
      await world.services.db
        .selectFrom('annotations')
        .select('bodyHtml')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).bodyHtml;
  /** A new request, with threads of its own. */
  const reader = (workers: Workers = pool): Context =>
    new Context({ ...world.services, workers } as Services, {
      actor: { kind: 'system', cause: 'test' },
      surface: 'system',
      requestId: 'test',
    });
  const rendered = () => pool.counts()['annotation.render'].ended;

  test('an annotation is rendered once, on its first read, however often its body was appended to before', async () => {
    const id = await write('- one\n');
    for (let index = 0; index < 20; index += 1) await write(`- item ${index} ${'x'.repeat(100)}\n`, true);
    expect(await storedHtml(id)).toBeNull();
    expect(rendered()).toMatchObject({ done: 0, small: 0 });
    const html = await Promise.all([
      annotationHtml(reader(), id),
      annotationHtml(reader(), id),
      annotationHtml(reader(), id),
    ]);
    expect(html[0]).toContain('<li>item 19 ');
    expect(new Set(html).size).toBe(1);
    expect(await annotationHtml(reader(), id)).toBe(html[0]);
    expect(await storedHtml(id)).toBe(html[0]);
    expect(rendered()).toMatchObject({ done: 1, small: 0 });
  });

  test('rendering that gets no CPU time is not stored, so the annotation is rendered at the next read', async () => {
    const starved = testWorkers({ threads: 1, limitMs: 1_000, waits: 0, threadCpu: () => 0 });
    const id = await write('- a\n'.repeat(200_000));
    expect(await annotationHtml(reader(starved), id)).toContain('This annotation is shown as it was written');
    expect(await storedHtml(id)).toBeNull();
    expect(starved.counts()['annotation.render'].ended).toMatchObject({ refused: 1, timed_out: 0 });
    await starved.close();
  });

  test('an annotation that takes too long to render shows its escaped source from then on', async () => {
    const slow = testWorkers({ threads: 1, limitMs: 1_000, threadCpu: () => null });
    const id = await write('- <a\n'.repeat(200_000));
    const html = await annotationHtml(reader(slow), id);
    expect(html).toMatch(
      /^<p><em>This annotation is shown as it was written: rendering it takes too long\.<\/em><\/p>\n<pre><code>- &lt;a\n/,
    );
    expect(html!.length).toBeLessThanOrEqual(limits.annotationHtmlBytes);
    expect(await annotationHtml(reader(slow), id)).toBe(html);
    expect(slow.counts()['annotation.render'].ended).toMatchObject({ timed_out: 1, done: 0 });
    await slow.close();
  });

  test.each([
    ['is nested too deeply', '<div>'.repeat(5_000)],
    ['becomes too large', `[x]: http://example.com/${'a'.repeat(10_000)}\n\n${'[x]'.repeat(1_000)}`],
    ['becomes too large even as escaped text', '&'.repeat(limits.annotationBodyBytes)],
  ])('an annotation whose body %s shows its escaped source', async (_what, body) => {
    const html = await annotationHtml(reader(), await write(body));
    expect(html).toMatch(
      /^<p><em>This annotation is shown as it was written: rendered it would be too large, or nested too deeply\.<\/em><\/p>\n<pre><code>/,
    );
    expect(html!.length).toBeLessThanOrEqual(limits.annotationHtmlBytes);
  });

  test('an annotation shows its escaped source while no thread is free, and is rendered once one is', async () => {
    const id = await write(`# Title\n\n${'word '.repeat(100)}`);
    const busy = testWorkers({ threads: 1 });
    await busy.close();
    expect(await annotationHtml(reader(busy), id)).toContain('it has not been rendered yet');
    expect(await storedHtml(id)).toBeNull();
    expect(await annotationHtml(reader(), id)).toContain('<h1>Title</h1>');
  });

  test('changing only the style of an annotation keeps its HTML, and a deleted annotation has none', async () => {
    const id = await write('*x*');
    const html = await annotationHtml(reader(), id);
    await world.perform(world.admin, createAnnotation, {
      of: { build: { id: build } },
      style: 'error',
      looksAlone: true,
    });
    expect(await storedHtml(id)).toBe(html);
    await world.services.db.deleteFrom('annotations').where('id', '=', id).execute();
    expect(await annotationHtml(reader(), id)).toBeNull();
  });

  test('a reply with an idempotency key is rendered after the commit, and its repetition is identical', async () => {
    const idempotency = { key: `key of ${build}`, fingerprint: 'one' };
    const reply = async () =>
      performAndRender(
        createAnnotation,
        await world.as(world.admin, { idempotency }),
        { of: { build: { id: build } }, body: `# Title\n\n${'word '.repeat(100)}` },
        async (context, { annotation }) => ({ status: 201, body: await annotationHtml(context, annotation.id) }),
      );
    const first = await reply();
    expect(first).toEqual({ status: 201, body: expect.stringContaining('<h1>Title</h1>') });
    await write('another');
    expect(await reply()).toEqual(first);
  });
});
