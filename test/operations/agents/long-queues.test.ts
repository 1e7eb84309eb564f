import { sql } from 'kysely';
import type { Express } from 'express';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('a queue with very many jobs', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  const connected = (fields: object = {}) => ScriptedAgent.connected(app, world.agentToken, fields as never);
  const offered = async (agent: ScriptedAgent) => (await agent.ping()).job?.id;

  test('a job is found for an agent behind twenty thousand jobs with as many different rules that match no agent', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "a", priority: 100 }]');
    const copies = (count: number, rules: string) =>
      sql`
      insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, agent_query_rules, cluster_id, cluster_queue_id, priority, created_at, scheduled_at, runnable_at)
      select gen_random_uuid(), organization_id, pipeline_id, build_id, step_id, type, n, 'scheduled', ${sql.raw(rules)}, cluster_id, cluster_queue_id, 50, created_at, scheduled_at, runnable_at
      from jobs, generate_series(1, ${sql.raw(String(count))}) as n where id = ${first.id}`.execute(world.services.db);
    await copies(20_000, "array['os=plan9']");
    await copies(1000, "array['only=' || n]");
    const low = (await buildOf(world, 'steps: [{ command: "b", agents: { os: linux } }]')).first;
    await sql`analyze jobs`.execute(world.services.db);
    expect(await offered(await connected())).toBe(first.id);
    const agent = await connected({ meta_data: ['os=linux'] });
    let found: string | undefined;
    for (let pings = 0; pings < 150 && !found; pings += 1) found = await offered(agent);
    expect(found).toBe(low.id);
  }, 60_000);
});
