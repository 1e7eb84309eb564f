import { randomUUID } from 'node:crypto';
import { agentApp, buildOf, ScriptedAgent } from '../../../support/scripted-agent.js';
import { SentStatements } from '../../../support/sent-statements.js';
import { World } from '../../../support/world.js';

describe('the statements of a pipeline upload', () => {
  let world: World;
  let sent: SentStatements;
  beforeAll(async () => {
    sent = new SentStatements();
    world = await World.create({ embedded: sent.embedded });
  });
  afterAll(async () => {
    sent.close();
    await world.close();
  });

  test('an upload of 1,000 steps sends as few statements as one of 400', async () => {
    const app = agentApp(world);
    const { first } = await buildOf(world, 'steps: [{ command: "upload" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const id = await agent.takeJob();
    expect(id).toBe(first.id);
    const upload = (groups: number) => async () => {
      const pipeline = {
        steps: Array.from({ length: groups }, (_, index) => ({
          group: `Group ${index}`,
          steps: [{ command: 'test', key: `test-${groups}-${index}`, agents: { os: 'x' }, env: { SHARD: `${index}` } }],
        })),
      };
      await agent
        .call('post', `/jobs/${id}/pipelines`, agent.jobToken)
        .send({ uuid: randomUUID(), pipeline })
        .expect(200);
    };
    // Texts of this size are parsed in a thread, outside the transaction, which begins again afterwards.
    const few = await sent.during(upload(200));
    const many = await sent.during(upload(500));
    expect(many.length).toBe(few.length);
    expect(many.length).toBeLessThanOrEqual(20);
    expect(await world.services.db.selectFrom('steps').select('id').execute()).toHaveLength(1 + 2 * 700);
  });
});
