import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/database/open.js';
import { describeOnPostgres, migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { ApiUser, type CreatedBuild } from './api-user.js';
import { ownDatabase } from './evidence.js';
import { HttpCaller } from './http-caller.js';
import { Replica } from './installation.js';
import { type AgentWork, noWork, ProtocolAgent } from './protocol-agent.js';
import { StreamReader } from './stream-reader.js';

const configuration =
  'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{command: "true", parallelism: 2}, wait, {command: "true"}]';
const ofPipelines =
  'subscription ($after: String) { pipelines(id: "acme", after: $after) { cursor event { uuid subject } pipeline { slug } } }';
const ofBuild =
  'subscription ($id: ID!, $after: String) { build(id: $id, after: $after) { cursor event { uuid sequence } } }';
const ofAgents = 'subscription ($after: String) { agents(id: "acme", after: $after) { cursor event { uuid type } } }';
const ofLog = 'subscription ($id: ID!, $after: String) { jobLog(id: $id, after: $after) { cursor content finished } }';

interface Story {
  replicas: Replica[];
  agents: number;
  /** Builds at least; more follow until the disturbance is over, so that there is always something to stream. */
  builds: number;
  /** What happens to servers and connections meanwhile. */
  disturb(readers: StreamReader[]): Promise<void>;
}

interface Told {
  user: ApiUser;
  pipelines: StreamReader[];
  builds: StreamReader[];
  agents: StreamReader;
  logs: { reader: StreamReader; text: string }[];
  work: AgentWork;
}

/**
 * Follows everything while builds run and servers go; returns once all builds are done and every reader has caught up.
 */
async function follow({ replicas, agents, builds, disturb }: Story): Promise<Told> {
  const urls = () => replicas.map(({ url }) => url);
  const user = new ApiUser(new HttpCaller(urls));
  await user.pipeline('deploy', configuration);
  const readers: StreamReader[] = [];
  const ends: Promise<void>[] = [];
  const reader = (query: string, variables: Record<string, unknown> = {}, turn = 0) => {
    const made = new StreamReader(urls, query, variables, turn);
    readers.push(made);
    ends.push(made.run());
    return made;
  };
  const pipelines = [reader(ofPipelines, {}, 0), reader(ofPipelines, {}, 1)];
  const ofAll = reader(ofAgents);
  await until(() => [...pipelines, ofAll].every(({ messages }) => messages.length > 0), 'the streams began');
  const work = noWork();
  const stop = new AbortController();
  const running = Array.from({ length: agents }, (_, index) =>
    new ProtocolAgent(new HttpCaller(urls, index), work, { chunks: 4, pauseMs: 40 }).run(stop.signal),
  );
  const created: CreatedBuild[] = [];
  const ofBuilds: StreamReader[] = [];
  let calm = false;
  const disturbed = disturb(readers).finally(() => {
    calm = true;
  });
  const passed = async ({ number }: CreatedBuild) =>
    (await user.rest('GET', `/organizations/acme/pipelines/deploy/builds/${number}`)).body.state === 'passed';
  for (let count = 0; count < builds || !calm; count += 1) {
    const last = created.at(-1);
    if (count >= builds && last) await until(async () => calm || (await passed(last)), 'the last build passed');
    const build = await user.build('deploy', `build-${count}`);
    created.push(build);
    ofBuilds.push(reader(ofBuild, { id: build.id }, count));
  }
  const logs: Told['logs'] = [];
  for (const { number } of created) {
    const { body } = await user.rest('GET', `/organizations/acme/pipelines/deploy/builds/${number}`);
    for (const { id, type } of body.jobs) if (type === 'script') logs.push({ reader: reader(ofLog, { id }), text: id });
  }
  for (const build of created) await until(() => passed(build), `build ${build.number} passed`);
  await disturbed;
  stop.abort();
  await Promise.all(running);
  await until(() => logs.every(({ reader: { messages } }) => messages.at(-1)?.finished), 'the logs ended');
  // Streams are in order: one that has told the last thing that happened has told everything, or never will.
  await user.pipeline('last', configuration);
  await until(
    () => pipelines.every(({ messages }) => messages.at(-1)?.pipeline?.slug === 'last'),
    'the last pipeline was told',
  );
  await until(
    () => ofAll.messages.filter(({ event }) => event?.type === 'agent.disconnect').length === agents,
    'all agents were told to be gone',
  );
  for (const [index, { number }] of created.entries()) {
    const { body } = await user.rest(
      'GET',
      `/organizations/acme/pipelines/deploy/builds/${number}/events?per_page=100`,
    );
    const last: string = body.items.at(-1).id;
    await until(
      () => ofBuilds[index]?.messages.at(-1)?.event?.uuid === last,
      `the last event of build ${number} was told`,
    );
  }
  readers.forEach((each) => each.stop());
  await Promise.all(ends);
  for (const each of logs) each.text = [...work.logs.values()].find(({ job }) => job === each.text)?.text ?? '';
  return { user, pipelines, builds: ofBuilds, agents: ofAll, logs, work };
}

/** Waits until the readers have been told so many things more. */
async function toldMore(readers: StreamReader[], count: number): Promise<void> {
  const told = () => readers.reduce((sum, { messages }) => sum + messages.length, 0);
  const before = told();
  await until(() => told() >= before + count, `${count} more messages`);
}

async function until(satisfied: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await satisfied())) {
    if (Date.now() > deadline) throw new Error(`never: ${what}`);
    await sleep(100);
  }
}

/** Every stream against the rows: no gap, no duplicate, and in the order of the rows. */
async function compare(
  options: Parameters<typeof openDatabase>[0],
  { pipelines, builds, agents, logs }: Told,
): Promise<void> {
  const database = await openDatabase(options);
  try {
    const rows = await database.db
      .selectFrom('events')
      .select(['id', 'subject', 'buildId', 'sequence', 'position'])
      .where('position', 'is not', null)
      .orderBy('position')
      .execute();
    expect(await database.db.selectFrom('events').select('id').where('position', 'is', null).execute()).toEqual([]);
    const ids = (messages: StreamReader['messages']) => messages.flatMap(({ event }) => event?.uuid ?? []);
    // The pipeline was made before its stream began.
    const ofPipelines = rows.filter(({ subject }) => subject === 'pipeline' || subject === 'build').map(({ id }) => id);
    for (const { messages } of pipelines) expect(ids(messages)).toEqual(ofPipelines.slice(-ids(messages).length));
    for (const { messages } of pipelines) expect(ids(messages).length).toBeGreaterThanOrEqual(ofPipelines.length - 1);
    expect(ids(agents.messages)).toEqual(rows.filter(({ subject }) => subject === 'agent').map(({ id }) => id));
    for (const { messages } of builds) {
      const told = ids(messages);
      const buildId = rows.find(({ id }) => id === told[0])?.buildId;
      const all = rows.filter((row) => row.buildId === buildId);
      expect(told).toEqual(all.slice(-told.length).map(({ id }) => id));
      // Positions keep the order in which things happened in the build.
      expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    }
    for (const { reader, text } of logs) expect(reader.messages.map(({ content }) => content).join('')).toBe(text);
    for (const each of [...pipelines, ...builds, agents, ...logs.map(({ reader }) => reader)])
      expect(each.refusals).toEqual([]);
  } finally {
    await database.close();
  }
}

describe('streams over restarts of the server on the embedded database', () => {
  const directory = temporaryDirectory();
  let replica: Replica;
  beforeAll(async () => {
    await migrateDataDirectory(directory.path);
    replica = await Replica.start(directory.path, { DATA_DIR: directory.path });
  }, 90_000);
  afterAll(async () => {
    await replica.stop();
    directory.remove();
  });

  test('have no gap and no duplicate', async () => {
    const told = await follow({
      replicas: [replica],
      agents: 2,
      builds: 3,
      disturb: async (readers) => {
        await toldMore(readers, 6);
        await replica.kill();
        await replica.restart();
        await toldMore(readers, 6);
        await replica.stop();
        await replica.restart();
      },
    });
    expect(told.pipelines[0]!.breaks).toBeGreaterThanOrEqual(2);
    await replica.stop();
    await compare({ dataDir: directory.path }, told);
  }, 150_000);
});

describeOnPostgres('streams over two replicas, of which each is killed and restarted', () => {
  const directory = temporaryDirectory();
  let own: Awaited<ReturnType<typeof ownDatabase>>;
  let replicas: Replica[] = [];
  beforeAll(async () => {
    own = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_streams_${process.pid}_${Date.now()}`);
    const env = { DATABASE_URL: own.url, DATA_DIR: directory.path };
    replicas = await Promise.all([Replica.start(directory.path, env), Replica.start(directory.path, env)]);
  }, 90_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await own.drop();
    directory.remove();
  });

  test('have no gap and no duplicate', async () => {
    const told = await follow({
      replicas,
      agents: 4,
      builds: 8,
      disturb: async (readers) => {
        for (const replica of [...replicas, ...replicas]) {
          await toldMore(readers, 6);
          readers.forEach((reader) => reader.move());
          await toldMore(readers, 6);
          await replica.kill();
          await replica.restart();
        }
      },
    });
    expect(told.pipelines[0]!.breaks).toBeGreaterThanOrEqual(4);
    await Promise.all(replicas.map((replica) => replica.stop()));
    await compare({ databaseUrl: own.url, dataDir: directory.path }, told);
  }, 150_000);
});
