import { sql } from 'kysely';
import { OldLogFilters } from '../../src/background/builds/filter-old-logs.js';
import { logRef, logStore } from '../../src/resources/builds/logs/log-store.js';
import { appendChunk } from '../../src/storage/logs/append-chunk.js';
import { buildOf } from '../support/scripted-agent.js';
import { World } from '../support/world.js';

describe('filters of logs that were merged before there were any', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  const filtered = async () =>
    (await world.services.db.selectFrom('log_filters').select('jobId').orderBy('jobId', 'desc').execute()).map(
      ({ jobId }) => jobId,
    );

  async function rounds(): Promise<number> {
    const task = new OldLogFilters();
    for (let count = 1; ; count += 1) if (!(await task.round(world.services))) return count;
  }

  test('are made from the newest job on, once, and of no log that may grow', async () => {
    const { db } = world.services;
    const { jobs } = await buildOf(world, 'steps: [{ command: make, parallelism: 4 }]');
    const [newest, older, running, empty] = jobs.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    for (const job of [newest!, older!, running!]) {
      const bytes = Buffer.from(`a line of ${job.id}\n`);
      await appendChunk(logStore(world.services, job.organizationId), logRef(job), {
        sequence: 1,
        offset: 0,
        size: bytes.length,
        bytes,
      });
    }
    const merged = [newest!.id, older!.id, empty!.id];
    await db.updateTable('jobs').set({ logCompactedAt: new Date() }).where('id', 'in', merged).execute();
    // Another process is at it.
    const later = new Date(world.services.clock.now().getTime() + 30_000);
    const leased = db.updateTable('retention_passes').where('name', '=', 'log-filters');
    await leased.set({ leasedBy: 'somebody', leasedUntil: later }).execute();
    await rounds();
    expect(await filtered()).toEqual([]);
    await leased.set({ leasedBy: null, leasedUntil: null }).execute();

    await rounds();
    expect(await filtered()).toEqual([newest!.id, older!.id]);
    await sql`delete from log_filters`.execute(db);
    expect(await rounds()).toBe(1);
    expect(await filtered()).toEqual([]);

    // As where a process has stopped within: another goes on behind the job that it had come to.
    await leased.set({ filteredFrom: newest!.id }).execute();
    await rounds();
    expect(await filtered()).toEqual([older!.id]);
  });

  test('are made of more logs than one statement looks at', async () => {
    const { db } = world.services;
    await sql`insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid()))).*
      from jobs j, generate_series(1, 600) where j.id = (select id from jobs limit 1)`.execute(db);
    await sql`delete from log_filters`.execute(db);
    await db.updateTable('retention_passes').set({ filteredFrom: null }).where('name', '=', 'log-filters').execute();
    expect(await rounds()).toBeGreaterThan(1);
    expect((await filtered()).length).toBeGreaterThan(0);
  });
});
