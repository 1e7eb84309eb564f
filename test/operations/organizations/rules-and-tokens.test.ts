import { Problem } from '../../../src/domain/problem.js';
import { deletePipeline } from '../../../src/operations/pipelines/delete.js';
import { createRule } from '../../../src/operations/agents/rules/create.js';
import { updateRule } from '../../../src/operations/agents/rules/update.js';
import { revokeTokenAccess } from '../../../src/operations/organizations/api-tokens/revoke-access.js';
import { World } from '../../support/world.js';

/** How each of several calls at once ended: `done`, or the code it was refused with. */
async function atOnce(calls: Promise<unknown>[]): Promise<string[]> {
  const ended = await Promise.all(
    calls.map((call) =>
      call.then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof Problem) return error.code;
          throw error;
        },
      ),
    ),
  );
  return ended.sort();
}

describe('simultaneous changes of rules and tokens', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  const acme = { organization: { slug: 'acme' } };
  const type = 'pipeline.trigger_build.pipeline';
  const rule = (source_pipeline: string, target_pipeline: string) =>
    world.perform(world.admin, createRule, { ...acme, type, value: { source_pipeline, target_pipeline } });
  const rows = () => world.services.db.selectFrom('rules').selectAll().execute();
  const once = ['done', ...Array.from({ length: 9 }, () => 'wrong_state')];

  test('of ten simultaneous requests to create one rule, one succeeds', async () => {
    const [a, b] = [await world.pipeline('steps: []'), await world.pipeline('steps: []')];
    expect(await atOnce(Array.from({ length: 10 }, () => rule(a.id, b.id)))).toEqual(once);
    expect(await rows()).toHaveLength(1);
    // The other way round it is another rule.
    expect(await atOnce([rule(b.id, a.id)])).toEqual(['done']);
  });

  test('of ten rules changed to the same value at once, one succeeds', async () => {
    const [a, b] = [await world.pipeline('steps: []'), await world.pipeline('steps: []')];
    const made = [];
    for (let index = 0; index < 10; index += 1)
      made.push((await rule((await world.pipeline('steps: []')).id, b.id)).rule.id);
    const value = { source_pipeline: a.id, target_pipeline: b.id };
    expect(await atOnce(made.map((id) => world.perform(world.admin, updateRule, { rule: { id }, value })))).toEqual(
      once,
    );
    expect((await rows()).filter(({ sourcePipelineId }) => sourcePipelineId === a.id)).toHaveLength(1);
  });

  test.each([1, 2, 3])('a pipeline deleted while rules are created for it leaves no rule behind (%i)', async () => {
    const [a, b] = [await world.pipeline('steps: []'), await world.pipeline('steps: []')];
    const ended = await Promise.allSettled([
      rule(a.id, b.id),
      rule(b.id, a.id),
      world.perform(world.admin, deletePipeline, { pipeline: { id: b.id } }),
    ]);
    expect(ended[2].status).toBe('fulfilled');
    expect(
      (await rows()).filter(({ sourcePipelineId, targetPipelineId }) =>
        [sourcePipelineId, targetPipelineId].includes(b.id),
      ),
    ).toEqual([]);
  });

  test("of ten simultaneous requests to revoke a token's access, one succeeds", async () => {
    const { db } = world.services;
    const { id } = await db
      .selectFrom('api_tokens')
      .select('id')
      .where('userId', '=', world.member.id)
      .executeTakeFirstOrThrow();
    const ended = await atOnce(
      Array.from({ length: 10 }, () => world.perform(world.admin, revokeTokenAccess, { token: { ...acme, id } })),
    );
    expect(ended).toEqual(['done', ...Array.from({ length: 9 }, () => 'not_found')]);
    expect(await db.selectFrom('api_token_revocations').selectAll().execute()).toHaveLength(1);
    expect(
      await db
        .selectFrom('audit_events')
        .select(['subject', 'subjectId'])
        .where('operation', '=', 'access-token.revoke-access')
        .execute(),
    ).toEqual([{ subject: 'token', subjectId: id }]);
  });
});
