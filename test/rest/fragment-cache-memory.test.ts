import type { Context } from '../../src/request/context.js';
import type { Json } from '../../src/domain/pipelines/steps/step.js';
import { type Fragment, FragmentCache } from '../../src/response-cache/fragment-cache.js';
import { freshPart, keptPart, type PartKind, showPart } from '../../src/rest/parts/part.js';
import { ReplyParts } from '../../src/rest/parts/reply-parts.js';
import { World } from '../support/world.js';

describe('parts in memory', () => {
  const part = (text: string, version = '1', id = 'a'): Fragment => ({
    texts: [Buffer.from(text)],
    inner: [],
    sources: [{ kind: 'row users', key: id, version }],
  });

  test('take no more bytes than they may, and the part whose use is longest ago goes first', () => {
    const parts = new FragmentCache(100_000);
    for (let index = 0; index < 50; index += 1) {
      parts.keep(`part ${index}`, part('x'.repeat(5_000)), 0);
      parts.get('part 0');
    }
    const { bytes, parts: count } = parts.use();
    expect(bytes).toBeLessThanOrEqual(100_000);
    expect(count).toBeGreaterThan(10);
    expect([parts.get('part 0').length, parts.get('part 1').length, parts.get('part 49').length]).toEqual([1, 0, 1]);
  });

  test('a part that is larger than a tenth of the memory is not kept', () => {
    const parts = new FragmentCache(100_000);
    parts.keep('large', part('x'.repeat(20_000)), 0);
    expect(parts.get('large')).toEqual([]);
  });

  test('a newer form of the same rows takes the place of the older one; a form with a hidden row stands beside it', () => {
    const parts = new FragmentCache(100_000);
    parts.keep('one', part('old', '1'), 0);
    parts.keep('one', part('new', '2'), 0);
    expect(parts.get('one').map(({ texts }) => String(texts[0]))).toEqual(['new']);
    parts.keep('one', part('hidden', ''), 0);
    expect(parts.get('one').map(({ texts }) => String(texts[0]))).toEqual(['hidden', 'new']);
    for (let index = 0; index < 10; index += 1) parts.keep('one', part('other', '1', `row ${index}`), 0);
    expect(parts.get('one')).toHaveLength(4);
  });

  test('rows that were read before everything was forgotten make no part that is kept', () => {
    const parts = new FragmentCache(100_000);
    const before = parts.currentGeneration;
    parts.clear();
    parts.keep('late', part('rows of a server that is gone'), before);
    expect(parts.get('late')).toEqual([]);
    parts.keep('late', part('rows of the new one'), parts.currentGeneration);
    expect(parts.get('late')).toHaveLength(1);
  });
});

describe('a part', () => {
  let world: World;
  let presented: string[] = [];
  let count = 0;

  beforeAll(async () => {
    world = await World.create();
  });
  beforeEach(() => (presented = []));
  afterAll(() => world.close());

  const kindThat = (present: (context: Context, id: string) => Promise<Json>): PartKind<{ id: string }, never> => {
    count += 1;
    return keptPart(`part ${count} of a test`, null, (context, { id }) => {
      presented.push(id);
      return present(context, id);
    });
  };

  /** Writes the part in a request of its own. */
  async function write(kind: PartKind<{ id: string }, never>, id: string): Promise<string> {
    const context = await world.as(world.admin);
    const reply = new ReplyParts(context, world.services.fragmentCache!);
    return String(await reply.write([await showPart(context, kind, { id })]));
  }

  const rename = (name: string) =>
    world.services.db.updateTable('users').set({ name }).where('id', '=', world.member.id).execute();

  test('of a row is presented once, until somebody writes to the row', async () => {
    const kind = kindThat(async (context, id) => ({ name: (await context.load.user.load(id))?.name ?? null }));
    await rename('first');
    expect([await write(kind, world.member.id), await write(kind, world.member.id)]).toEqual(
      Array(2).fill('[{"name":"first"}]'),
    );
    expect(presented).toHaveLength(1);
    await rename('second');
    expect(await write(kind, world.member.id)).toBe('[{"name":"second"}]');
    expect(presented).toHaveLength(2);
  });

  test('of what is absent is presented again when it is there', async () => {
    const kind = kindThat(async (context, id) => ((await context.load.organization.load(id)) ? 'there' : 'absent'));
    const id = world.system().newId();
    expect([await write(kind, id), await write(kind, id)]).toEqual(Array(2).fill('["absent"]'));
    await world.services.db
      .insertInto('organizations')
      .values({ id, slug: 'new', name: 'New', createdAt: world.clock.now() })
      .execute();
    expect(await write(kind, id)).toBe('["there"]');
    expect(presented).toHaveLength(2);
  });

  test('of a loader without versions has the value itself for a version', async () => {
    const kind = kindThat(async (context, id) => context.load.teamSlugsOfPipeline.load(id));
    const { id } = await world.pipeline('steps: [{ command: make }]');
    expect([await write(kind, id), await write(kind, id)]).toEqual(Array(2).fill('[[]]'));
    expect(presented).toHaveLength(1);
    const organizationId = world.organization.id;
    const teamId = await world.insert('teams', { organizationId, slug: 'blue', name: 'Blue' });
    await world.insert('team_pipelines', { organizationId, teamId, pipelineId: id, accessLevel: 'read_only' });
    expect(await write(kind, id)).toBe('[["blue"]]');
  });

  test.each<[string, (context: Context) => unknown]>([
    ['the time', (context) => context.now.getTime() > 0],
    ['the caller', (context) => context.userId !== null],
    ['the database', (context) => typeof context.db.selectFrom],
    ['a service of the process', (context) => typeof context.services.clock.now],
  ])('that reads %s is not kept', async (_what, look) => {
    const kind = kindThat(async (context) => String(look(context)));
    const { counts } = world.services.fragmentCache!.use();
    await write(kind, 'any');
    await write(kind, 'any');
    expect([presented.length, counts.get(kind.name)]).toEqual([2, { hits: 0, misses: 0, unkept: 2 }]);
  });

  test('inside another one is presented for itself, and shown wherever it stands', async () => {
    const inner = kindThat(async (context, id) => (await context.load.user.load(id))?.name ?? null);
    const outer = kindThat(async (context, id) => ({
      twice: [await showPart(context, inner, { id }), await showPart(context, inner, { id })],
    }));
    const fresh = freshPart<{ id: string }>('fresh part of a test', async (context, { id }) =>
      showPart(context, outer, { id }),
    );
    await rename('"quoted" ☂');
    const text = `[{"twice":["\\"quoted\\" ☂","\\"quoted\\" ☂"]}]`;
    expect([await write(fresh, world.member.id), await write(fresh, world.member.id)]).toEqual([text, text]);
    expect(presented).toHaveLength(2);
    await rename('plain');
    expect(await write(fresh, world.member.id)).toBe('[{"twice":["plain","plain"]}]');
    // The outer one did not change.
    expect(presented).toHaveLength(3);
  });

  test('is right on every replica, whichever wrote', async () => {
    const kind = kindThat(async (context, id) => (await context.load.user.load(id))?.name ?? null);
    const replicas = [world.services.fragmentCache!, new FragmentCache(1_000_000)];
    const read = async (memory: FragmentCache) => {
      const context = await world.as(world.admin);
      const reply = new ReplyParts(context, memory);
      return String(await reply.write(await showPart(context, kind, { id: world.member.id })));
    };
    for (const name of ['one', 'two', 'three']) {
      await rename(name);
      for (const memory of [...replicas, ...replicas]) expect(await read(memory)).toBe(JSON.stringify(name));
    }
  });
});
