import { randomUUID } from 'node:crypto';
import { finishTransaction } from '../../../../src/core/finish-transaction.js';
import { inTransaction } from '../../../../src/database/transaction.js';
import type { Json } from '../../../../src/domain/pipelines/steps/step.js';
import { createStepUpload } from '../../../../src/operations/builds/step-uploads/create.js';
import { agentApp, buildOf, ScriptedAgent } from '../../../support/scripted-agent.js';
import { World } from '../../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.create();
});
afterAll(() => world.close());

/** Statements of one upload, from its parsed definition to the events of its transaction. */
async function statementsOf(pipeline: Json): Promise<{ statements: number; steps: number }> {
  const { build, first } = await buildOf(world, 'steps: [{ command: u }, wait, { command: c }]');
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  expect(await agent.takeJob()).toBe(first.id);
  let statements = 0;
  await inTransaction(world.services.db, 'test.upload', async (trx) => {
    statements = 0;
    const counting = trx.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const context = world.system().withDb(counting);
    const subject = {
      build: await trx
        .selectFrom('builds')
        .selectAll()
        .where('id', '=', build.id)
        .forUpdate()
        .executeTakeFirstOrThrow(),
      job: await trx.selectFrom('jobs').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow(),
      agent: await trx.selectFrom('agents').selectAll().where('id', '=', agent.id).executeTakeFirstOrThrow(),
    };
    const outcome = await createStepUpload.run(context, { job: first.id, uuid: randomUUID(), pipeline }, subject);
    expect(outcome).toMatchObject({ state: 'applied' });
    await finishTransaction(context);
  });
  const { count } = await world.services.db
    .selectFrom('steps')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('buildId', '=', build.id)
    .executeTakeFirstOrThrow();
  return { statements, steps: Number(count) - 3 };
}

test('a thousand uploaded steps take as many statements as ten, but for the batches of their rows', async () => {
  const groups = (count: number) => ({
    steps: Array.from({ length: count }, (_, index) => ({
      group: `G${index}`,
      steps: [
        { command: `c${index}`, label: `L${index}`, key: `k${index}`, env: { INDEX: index }, agents: { os: 'any' } },
      ],
    })),
  });
  const few = await statementsOf(groups(5));
  const many = await statementsOf(groups(500));
  expect([few.steps, many.steps]).toEqual([10, 1000]);
  // Two more batches of steps, one more of jobs, and those of events.
  expect(many.statements - few.statements).toBeLessThanOrEqual(6);
  expect(few.statements).toBeLessThanOrEqual(30);
}, 60_000);
