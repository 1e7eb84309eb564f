import type { Express } from 'express';
import { readCommitText } from '../../../src/domain/builds/git-commit-text.js';
import { agentApp, buildNow, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const sha = 'a'.repeat(40);
const modern = `commit ${sha}\nabbrev-commit aaaaaaa\nAuthor: Ann Other <ann@example.com>\n\n    Fix it\n\n    - properly\n`;
const old = `commit ${sha}\nAuthor:     Ann Other <ann@example.com>\nAuthorDate: Fri Jan 2\nCommit:     Bob <bob@example.com>\nCommitDate: Fri Jan 2\n\n    Fix it\n`;

describe('meta-data from inside a job', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  async function running(fields: object = {}) {
    const { build } = await buildOf(world, 'steps: [{ command: "true" }]', fields as never);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const job = await agent.takeJob();
    const data = (verb: string, body?: object, path = `/jobs/${job}`) => {
      const call = agent.call('post', `${path}/data/${verb}`, agent.jobToken);
      return body ? call.send(body) : call;
    };
    return { agent, job, build, data };
  }

  test('jobs set, get, test and list meta-data, and reading a missing key is answered 404 (T19)', async () => {
    const { data } = await running();
    await data('exists', { key: 'a' }).expect(200, { exists: false });
    const missing = await data('get', { key: 'a' }).expect(404);
    expect(missing.body).toEqual({ message: expect.any(String) });
    await data('keys').expect(200, []);
    await data('set', { key: 'b', value: 'two' }).expect(200);
    await data('set', { key: 'a', value: 'one\n€' }).expect(200);
    await data('set', { key: 'a', value: 'uno' }).expect(200);
    await data('exists', { key: 'a' }).expect(200, { exists: true });
    await data('get', { key: 'a' }).expect(200, { key: 'a', value: 'uno' });
    await data('keys').expect(200, ['a', 'b']);
  });

  test("meta-data is also readable by build id, but only for the job's own build", async () => {
    const one = await running();
    const two = await running();
    await one.data('set', { key: 'k', value: 'v' }).expect(200);
    await one.data('get', { key: 'k' }, `/builds/${one.build.id}`).expect(200, { key: 'k', value: 'v' });
    await one.data('keys', undefined, `/builds/${one.build.id}`).expect(200, ['k']);
    for (const path of [`/builds/${one.build.id}`, `/jobs/${one.job}`, '/builds/nonsense']) {
      await two.data('get', { key: 'k' }, path).expect(404);
      await two.data('exists', { key: 'k' }, path).expect(404);
    }
    await two.agent
      .call('post', `/builds/${two.build.id}/data/exists`)
      .send({ key: 'k' })
      .expect(200, { exists: false });
    await two.agent.call('post', `/builds/${one.build.id}/data/exists`).send({ key: 'k' }).expect(404);
  });

  test('a batch of meta-data is stored whole or not at all, and blank or oversized values are refused', async () => {
    const { data } = await running();
    await data('set-batch', {
      items: [
        { key: 'x', value: '1' },
        { key: 'y', value: '2' },
        { key: 'x', value: '3' },
      ],
    }).expect(200);
    await data('get', { key: 'x' }).expect(200, { key: 'x', value: '3' });
    for (const bad of [' ', 'x'.repeat(102_401), 5]) {
      const { body } = await data('set-batch', {
        items: [
          { key: 'x', value: 'changed' },
          { key: 'z', value: bad },
        ],
      }).expect(422);
      expect(body).toEqual({ message: expect.any(String) });
    }
    await data('set', { key: '', value: '1' }).expect(422);
    await data('set', { key: 'nul', value: 'a\u0000b' }).expect(422);
    await data('set', { key: 'k', value: 'x'.repeat(102_400) }).expect(200);
    await data('get', { key: 'x' }).expect(200, { key: 'x', value: '3' });
    await data('keys').expect(200, ['k', 'x', 'y']);
  });

  test('the commit reported by a checkout replaces HEAD and fills in a missing message and author', async () => {
    const { data, build } = await running({ message: null });
    await data('set', { key: 'buildkite:git:commit', value: modern }).expect(200);
    expect(await buildNow(world, build.id)).toMatchObject({
      commit: sha,
      commitResolved: true,
      message: 'Fix it\n\n- properly',
      author: { name: 'Ann Other', email: 'ann@example.com' },
    });
  });

  test("meta-data set at creation stays, and reporting a commit other than the build's changes nothing", async () => {
    const given = await running({ author: { name: 'Cy' }, message: 'Mine' });
    await given.data('set', { key: 'buildkite:git:commit', value: old }).expect(200);
    expect(await buildNow(world, given.build.id)).toMatchObject({
      commit: sha,
      message: 'Mine',
      author: { name: 'Cy' },
    });
    const pinned = await running({ commit: 'b'.repeat(40), message: null });
    await pinned.data('set', { key: 'buildkite:git:commit', value: modern }).expect(200);
    expect(await buildNow(world, pinned.build.id)).toMatchObject({
      commit: 'b'.repeat(40),
      message: null,
      author: null,
    });
  });
});

describe('readCommit', () => {
  test.each([
    [
      'of new agents',
      modern,
      { commit: sha, author: { name: 'Ann Other', email: 'ann@example.com' }, message: 'Fix it\n\n- properly' },
    ],
    ['of old agents', old, { commit: sha, author: { name: 'Ann Other', email: 'ann@example.com' }, message: 'Fix it' }],
    [
      'without a message',
      `commit ${sha}\nAuthor: Ann <>`,
      { commit: sha, author: { name: 'Ann', email: null }, message: null },
    ],
    ['without an author', `commit ${sha}\n\n    Hi`, { commit: sha, author: null, message: 'Hi' }],
    ['without a commit', 'no commit', null],
  ])('readCommit reads message and author from the commit text %s', (_what, text, facts) => {
    expect(readCommitText(text)).toEqual(facts);
  });
});
