import { writeFileSync } from 'node:fs';
import express from 'express';
import request from 'supertest';
import { Outbox } from '../../src/background/outbox/outbox.js';
import { webhookTokenOf } from '../../src/resources/pipelines/url-token.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { restSurface } from '../../src/rest/router.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';
import { SentStatements } from '../support/sent-statements.js';
import { World } from '../support/world.js';

/**
 * Statements of each call at most, BEGIN and COMMIT among them. Each costs a round trip and CPU on both sides: raise a
 * number only for what it buys. `STATEMENTS_TO=file` writes the statements themselves to a file.
 */
const bounds = {
  create: 6,
  ping: 7,
  accept: 5,
  start: 5,
  chunk: 2,
  finish: 5,
};
/** Statements of ten pushes that wait together, from the first delivery until the last build is there. */
const tenPushesBound = 90;
const lifecycleBound = 28;

const fiveJobs = ['one', 'two', 'three', 'four', 'five']
  .map((name) => `  - label: ${name}\n    command: make ${name}\n`)
  .join('');

describe('statements of writes', () => {
  let world: World;
  let sent: SentStatements;
  const calls = new Map<string, string[][]>();
  let isOpen = false;

  const close = async () => {
    isOpen = false;
    sent.close();
    await world.close();
  };

  const measure = async () => {
    sent = new SentStatements();
    world = await World.create({ embedded: sent.embedded });
    const rest = express().use('/v2', restSurface(world.services).router);
    const app = agentApp(world);
    const pipeline = await world.pipeline(`steps:\n${fiveJobs}`, { slug: 'app' });
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const call = async (name: string, work: () => Promise<unknown>) => {
      const known = calls.get(name) ?? [];
      calls.set(name, [...known, await sent.during(work)]);
    };
    const create = () =>
      request(rest)
        .post(`/v2/organizations/acme/pipelines/${pipeline.slug}/builds`)
        .set('Authorization', world.admin.authorization)
        .send({ commit: 'HEAD', branch: 'main', message: 'Go' })
        .expect(201);
    // The first of each opens connections and parses what is kept parsed.
    for (const round of ['warm-up', 'measured']) {
      calls.clear();
      await call('create', create);
      let job = '';
      await call('ping', async () => {
        job = (await agent.ping()).job?.id ?? '';
      });
      await call('accept', async () => expect((await agent.accept(job)).status, round).toBe(200));
      await call('start', () => agent.start(job).expect(200));
      for (const sequence of [1, 2, 3])
        await call('chunk', () => agent.chunk(job, sequence, (sequence - 1) * 6, 'hello\n').expect(201));
      await call('finish', () => agent.finish(job).expect(200));
    }
    const webhooks = express().use('/webhooks', webhookRouter(world.services));
    await world.services.db
      .updateTable('pipelines')
      .set({ providerId: 'github' })
      .where('id', '=', pipeline.id)
      .execute();
    const outbox = new Outbox(world.services);
    for (const round of ['warm-up', 'measured']) {
      calls.delete('ten pushes');
      await call('ten pushes', async () => {
        for (const n of '123456789a')
          await request(webhooks)
            .post(`/webhooks/deliver/${webhookTokenOf(world.services, pipeline)}`)
            .set({ 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': `${round} ${n}` })
            .send({
              ref: `refs/heads/${n}`,
              after: n.repeat(40),
              head_commit: { id: n.repeat(40), message: 'Go' },
            })
            .expect(202);
        await outbox.round();
      });
    }
    const file = process.env['STATEMENTS_TO'];
    if (file) writeFileSync(file, report(calls));
    isOpen = true;
  };

  beforeEach(async ({ task }) => {
    // Another try measures anew: a busy machine sends singly what is sent together elsewhere.
    if (isOpen && (task.result?.retryCount ?? 0) > 0) await close();
    if (!isOpen) await measure();
  });
  afterAll(close);

  test.each(Object.entries(bounds))('%s takes at most %i statements', (name, most) => {
    for (const statements of calls.get(name) ?? [[]]) {
      expect(statements.length).toBeGreaterThan(0);
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most);
    }
  });

  test('ten pushes share what their builds are made with', async () => {
    const { length } = (calls.get('ten pushes') ?? []).flat();
    expect(
      await world.services.db.selectFrom('builds').select('id').where('source', '=', 'webhook').execute(),
    ).toHaveLength(20);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(tenPushesBound);
  });

  test('a job from ping to finish, with three chunks of log, takes few statements', () => {
    const all = [...calls]
      .filter(([name]) => name !== 'create' && name !== 'ten pushes')
      .flatMap(([, each]) => each.flat());
    expect(all.length).toBeLessThanOrEqual(lifecycleBound);
  });
});

function report(calls: ReadonlyMap<string, string[][]>): string {
  const lines: string[] = [];
  let lifecycle = 0;
  for (const [name, each] of calls)
    for (const statements of each) {
      if (name !== 'create' && name !== 'ten pushes') lifecycle += statements.length;
      lines.push(`== ${name}: ${statements.length}`, ...statements.map((text) => `  ${text.slice(0, 300)}`));
    }
  return [...lines, `lifecycle: ${lifecycle}`, ''].join('\n');
}
