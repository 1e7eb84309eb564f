import { openDatabase } from '../../src/database/open.js';
import { describeOnPostgres, migrateDataDirectory, onPostgres, temporaryDirectory } from '../support/database.js';
import { ownDatabase } from './evidence.js';
import { Replica } from './installation.js';
import { jobsOfEachBuild, recount, runKillStory, wrongLogs } from './kill-story.js';

/** A start on the embedded database takes seconds: the default suite has time for one more. */
const kills = onPostgres ? 3 : 1;

describe('kill -9 of the server on the embedded database', () => {
  const directory = temporaryDirectory();
  let replica: Replica;
  beforeAll(async () => {
    await migrateDataDirectory(directory.path);
    replica = await Replica.start(directory.path, { DATA_DIR: directory.path });
  }, 90_000);
  afterAll(async () => {
    await replica.kill();
    directory.remove();
  });

  test('loses nothing that was acknowledged', async () => {
    const outcome = await runKillStory(replica, { kills, agents: 3, builds: 6, lifeMs: 1500 });
    expect(outcome.disturbed).toBeGreaterThan(0);
    expect(outcome.work.logs.size).toBeGreaterThanOrEqual(6 * jobsOfEachBuild);
    expect(await wrongLogs(outcome)).toEqual([]);
    await replica.stop();
    const database = await openDatabase({ dataDir: directory.path });
    try {
      expect(await recount(database, outcome)).toEqual([]);
    } finally {
      await database.close();
    }
  }, 150_000);
});

describeOnPostgres('kill -9 of the server on PostgreSQL', () => {
  const directory = temporaryDirectory();
  let own: Awaited<ReturnType<typeof ownDatabase>>;
  let replica: Replica;
  beforeAll(async () => {
    own = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_kill_${process.pid}_${Date.now()}`);
    replica = await Replica.start(directory.path, { DATABASE_URL: own.url, DATA_DIR: directory.path });
  }, 90_000);
  afterAll(async () => {
    await replica.kill();
    await own.drop();
    directory.remove();
  });

  test('loses nothing that was acknowledged', async () => {
    const outcome = await runKillStory(replica, { kills: 5, agents: 5, builds: 15, lifeMs: 1500 });
    expect(outcome.disturbed).toBeGreaterThan(0);
    expect(outcome.work.logs.size).toBeGreaterThanOrEqual(15 * jobsOfEachBuild);
    expect(await wrongLogs(outcome)).toEqual([]);
    await replica.stop();
    const database = await openDatabase({ databaseUrl: own.url, dataDir: directory.path });
    try {
      expect(await recount(database, outcome)).toEqual([]);
    } finally {
      await database.close();
    }
  }, 150_000);
});
