import express from 'express';
import { sql } from 'kysely';
import supertest from 'supertest';
import { runUntilIdle } from '../support/run-until-idle.js';
import { webhookTokenOf } from '../../src/resources/pipelines/url-token.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { World } from '../support/world.js';

describe('deliveries that come at the same moment', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  test('each is stored and built, but the one that cannot be stored', async () => {
    const { db } = world.services;
    const pipeline = await world.pipeline('steps: [{ command: "true" }]');
    const app = express().use('/webhooks', webhookRouter(world.services));
    const deliver = (event: string, branch: string) =>
      supertest(app)
        .post(`/webhooks/deliver/${webhookTokenOf(world.services, pipeline)}`)
        .set({ 'X-GitHub-Event': event, 'X-GitHub-Delivery': branch })
        .send({ ref: `refs/heads/${branch}`, after: branch.repeat(40), repository: { full_name: 'acme/app' } });
    await sql`create function refuse_delivery() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
      db,
    );
    await sql`create trigger poison before insert on webhook_deliveries for each row when (new.event = 'poison') execute function refuse_delivery()`.execute(
      db,
    );
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((branch) => deliver(branch === 'd' ? 'poison' : 'push', branch)),
    );
    await sql`drop function refuse_delivery() cascade`.execute(db);
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 500, 202, 202]);
    await runUntilIdle(world.services);
    const builds = await db.selectFrom('builds').select('branch').where('pipelineId', '=', pipeline.id).execute();
    expect(builds.map(({ branch }) => branch).sort()).toEqual(['a', 'b', 'c', 'e', 'f']);
  });
});
