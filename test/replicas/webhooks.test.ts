import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { ApiUser } from './api-user.js';
import { ownDatabase, queryAll } from './evidence.js';
import { HttpCaller } from './http-caller.js';
import { Replica } from './installation.js';

const commitOf = (number: number) => number.toString(16).padStart(40, '0').replace(/^0/, 'a');

describeOnPostgres('two replicas on one database, with one provider that delivers to both', () => {
  const directory = temporaryDirectory();
  let database: Awaited<ReturnType<typeof ownDatabase>>;
  let replicas: Replica[] = [];
  let paths: Record<'same' | 'order', string>;
  const urls = () => replicas.map(({ url }) => url);

  beforeAll(async () => {
    database = await ownDatabase(
      process.env['TEST_DATABASE_URL'] ?? '',
      `slipway_webhooks_${process.pid}_${Date.now()}`,
    );
    const env = { DATABASE_URL: database.url, DATA_DIR: directory.path };
    replicas = await Promise.all([Replica.start(directory.path, env), Replica.start(directory.path, env)]);
    const user = new ApiUser(new HttpCaller(urls));
    const pathOf = async (name: string) => {
      await user.pipeline(name, 'steps: [{command: "true"}]');
      const { body } = await user.rest('GET', `/organizations/acme/pipelines/${name}`);
      return new URL(body.provider.webhook_url).pathname;
    };
    paths = { same: await pathOf('same'), order: await pathOf('order') };
  }, 90_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database.drop();
    directory.remove();
  });

  const deliver = (path: string, id: string, number: number, start: number) =>
    new HttpCaller(urls, start).call(
      'POST',
      path,
      { 'Content-Type': 'application/json', 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': id },
      JSON.stringify({
        ref: 'refs/heads/main',
        after: commitOf(number),
        head_commit: { id: commitOf(number), message: `push ${number}` },
      }),
    );

  const builds = (name: string) =>
    queryAll<{ commit: string }>(
      database.url,
      `select b.commit from builds b join pipelines p on p.id = b.pipeline_id where p.slug = '${name}' order by b.number`,
    );

  async function processed(count: number): Promise<void> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const [row] = await queryAll<{ count: number }>(
        database.url,
        'select count(*)::int from webhook_deliveries where processed_at is not null',
      );
      if (row?.count === count) return;
      if (Date.now() > deadline) throw new Error(`${row?.count} of ${count} deliveries were processed`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  test('ten simultaneous copies of a delivery make one build (I11)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => deliver(paths.same, 'the-same', 1, index)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 200), 202]);
    await processed(1);
    expect(await builds('same')).toHaveLength(1);
    expect((await deliver(paths.same, 'the-same', 1, 0)).status).toBe(200);
    expect(await builds('same')).toHaveLength(1);
  }, 60_000);

  test('twenty deliveries, one after the other at either replica, are built in their order, each once', async () => {
    for (let number = 1; number <= 20; number += 1)
      expect((await deliver(paths.order, `push-${number}`, number, number)).status).toBe(202);
    await processed(21);
    expect((await builds('order')).map(({ commit }) => commit)).toEqual(
      Array.from({ length: 20 }, (_, index) => commitOf(index + 1)),
    );
    expect(replicas.flatMap((replica) => replica.errors())).toEqual([]);
  }, 60_000);
});
