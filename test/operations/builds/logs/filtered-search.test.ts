import fc from 'fast-check';
import { sql } from 'kysely';
import { type LogSearch, searchOrganizationLogs } from '../../../../src/operations/builds/logs/search.js';
import { deleteJobLog } from '../../../../src/operations/builds/logs/delete.js';
import type { JobRow } from '../../../../src/entities/database.js';
import { logRef, logStore } from '../../../../src/resources/builds/logs/log-store.js';
import { digestLog } from '../../../../src/resources/builds/logs/merged/digest-log.js';
import { appendChunk } from '../../../../src/storage/logs/append-chunk.js';
import { compactLog } from '../../../../src/storage/logs/compact-log.js';
import { limits } from '../../../../src/domain/limits/limits.js';
import { agentApp, buildOf, ScriptedAgent } from '../../../support/scripted-agent.js';
import { runUntilIdle } from '../../../support/run-until-idle.js';
import { World } from '../../../support/world.js';

const chunkBytes = 100_000;

describe('search of logs with filters', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  const db = () => world.services.db;

  async function jobsOf(count: number): Promise<JobRow[]> {
    const { build } = await buildOf(world, `steps: [{ command: make, parallelism: ${count} }]`);
    return db().selectFrom('jobs').selectAll().where('buildId', '=', build.id).orderBy('id', 'desc').execute();
  }

  async function store(job: JobRow, bytes: Uint8Array): Promise<void> {
    const logs = logStore(world.services, job.organizationId);
    for (let offset = 0, sequence = 1; offset < bytes.length; offset += chunkBytes, sequence += 1) {
      const part = bytes.subarray(offset, offset + chunkBytes);
      await appendChunk(logs, logRef(job), { sequence, offset, size: part.length, bytes: part });
    }
    await compactLog(logs, logRef(job));
    await digestLog(world.services, job);
  }

  /** The lines that are found, page by page, as `job:line`. */
  async function search(
    q: string,
    { regexp = false, perPage = 100, mostPages = 50 } = {},
  ): Promise<{ lines: string[]; texts: string[]; bytes: number; pages: number }> {
    const found = { lines: [] as string[], texts: [] as string[], bytes: 0, pages: 0 };
    for (let cursor: string | null = null; ;) {
      const page: LogSearch = await world.perform(world.admin, searchOrganizationLogs, {
        organization: { slug: world.organization.slug },
        q,
        regexp,
        perPage,
        cursor,
      });
      found.lines.push(...page.matches.map(({ job, line }) => `${job.id}:${line}`));
      found.texts.push(...page.matches.map(({ text }) => text));
      found.bytes += page.scannedBytes;
      found.pages += 1;
      ({ cursor } = page);
      if (cursor === null || found.pages === mostPages) return found;
    }
  }

  async function withoutFilters<T>(work: () => Promise<T>): Promise<T> {
    const shift = (by: number) =>
      sql`update log_filters set log_entries = log_entries + ${by}::int where log_entries is not null`.execute(db());
    await shift(1_000);
    try {
      return await work();
    } finally {
      await shift(-1_000);
    }
  }

  const filters = (job: JobRow) =>
    db().selectFrom('log_filters').select(['startOffset', 'size', 'firstLine']).where('jobId', '=', job.id).execute();

  test('finds exactly what a search without them finds', async () => {
    const jobs = await jobsOf(6);
    const word = fc.sample(fc.stringMatching(/^[a-zA-Z0-9Σς€ ]{3,9}$/u), { numRuns: 250, seed: 7 });
    const mark = '\u001b_bk;t=1700000000000\u0007';
    const line = (at: number) =>
      [
        `${mark}${word[at % 400]} ${word[(at * 7) % 400]} took ${at} ms`,
        `10 % ${word[at % 400]}\r${at} % ${word[(at * 3) % 400]}`,
        `\u001b[31m${word[(at * 11) % 400]}\u001b[0m${word[(at * 13) % 400]}`,
      ][at % 3] ?? '';
    const text = (from: number, lines: number) =>
      `${Array.from({ length: lines }, (_, at) => line(from + at)).join('\n')}\n`;
    // The last is of several parts, one of which begins within a line that is longer than a part.
    const big = `${text(9_000, 3_000)}${'long line without an end '.repeat(60_000)}\n${text(90_000, 28_000)}`;
    const logs = [text(0, 40), text(1_000, 400), text(2_000, 2_000), 'one line', text(3_000, 30), big];
    for (const [index, job] of jobs.entries()) await store(job, Buffer.from(logs[index] ?? ''));
    const [last] = jobs.slice(-1);
    const parts = await filters(last!);
    expect(parts.length).toBeGreaterThan(3);
    const bytes = Buffer.from(big);
    expect(parts.map(({ startOffset }) => startOffset)).toEqual(
      parts.map((_part, index) => parts.slice(0, index).reduce((sum, { size }) => sum + size, 0)),
    );
    expect(parts.map(({ firstLine }) => firstLine)).toEqual(
      parts.map(({ startOffset }) => bytes.subarray(0, startOffset).filter((byte) => byte === 10).length),
    );
    const shown = logs.map((log) => log.split('\n').map((each) => each.slice(each.lastIndexOf('\r') + 1)));
    let found = 0;
    let less = 0;
    const pattern = fc.record({
      log: fc.nat(5),
      line: fc.nat(),
      start: fc.nat(60),
      size: fc.integer({ min: 1, max: 14 }),
      form: fc.constantFrom('text', 'upper', 'expression', 'two ways', 'unknown'),
      perPage: fc.integer({ min: 30, max: 100 }),
    });
    const borders = parts.slice(1).map(({ firstLine }) => firstLine);
    await fc.assert(
      fc.asyncProperty(pattern, fc.boolean(), async ({ log, line: at, start, size, form, perPage }, atBorder) => {
        const lines = shown[atBorder ? 5 : log] ?? [];
        const number = atBorder ? (borders[at % borders.length] ?? 0) - (at % 2) : at % lines.length;
        const visible = (lines[number] ?? '').replace(/\u001b(?:\[\d+m|_[^\u0007]*\u0007)/g, '');
        const begin = start % Math.max(1, visible.length);
        const part = visible.slice(begin, begin + size);
        if (part.trim() === '') return;
        const escaped = part.replace(/[^a-zA-Z0-9 Σς€]/gu, '.');
        const [q, regexp] = {
          text: [part, false] as const,
          upper: [part.toUpperCase(), false] as const,
          expression: [`${escaped}.*[0-9]+`, true] as const,
          'two ways': [`${escaped}$|no such text`, true] as const,
          unknown: [`${part}-unknown`, false] as const,
        }[form];
        const filtered = await search(q, { regexp, perPage, mostPages: 3 });
        const whole = await withoutFilters(() => search(q, { regexp, perPage, mostPages: 3 }));
        expect(filtered.lines).toEqual(whole.lines);
        expect(filtered.texts).toEqual(whole.texts);
        expect(filtered.bytes).toBeLessThanOrEqual(whole.bytes);
        if (filtered.lines.length > 0) found += 1;
        if (filtered.bytes < whole.bytes) less += 1;
      }),
      { numRuns: 25 },
    );
    expect([found > 5, less > 5]).toEqual([true, true]);
  });

  test('a log to which bytes are added after its end is searched whole', async () => {
    const [job, other] = await jobsOf(2);
    const log = Buffer.from(`${'before\n'.repeat(100)}between\n${'behind\n'.repeat(100)}`);
    for (const each of [job!, other!]) {
      const { organizationId } = each;
      const logs = logStore(world.services, organizationId);
      const add = (sequence: number, start: number, end?: number) => {
        const bytes = log.subarray(start, end);
        return appendChunk(logs, logRef(each), { sequence, offset: start, size: bytes.length, bytes });
      };
      await add(1, 0, 700);
      await add(3, 708);
      await db()
        .updateTable('jobs')
        .set({ finishedAt: new Date(), state: 'finished' })
        .where('id', '=', each.id)
        .execute();
      await digestLog(world.services, each);
      expect((await search('between')).lines).toEqual([]);
      expect((await search('behind')).lines).toHaveLength(100);
      if (each === job) {
        await add(2, 700, 708);
        expect(await filters(each)).toEqual([]);
      } else {
        // As a replica of the release before does, which knows nothing of filters.
        const kept = await db().selectFrom('log_filters').selectAll().where('jobId', '=', each.id).execute();
        await add(2, 700, 708);
        await db().insertInto('log_filters').values(kept).execute();
      }
      expect((await search('between')).lines).toEqual([`${each.id}:100`]);
      await digestLog(world.services, each);
      expect(await filters(each)).toHaveLength(1);
      expect((await search('between')).lines).toEqual([`${each.id}:100`]);
      await world.perform(world.admin, deleteJobLog, { job: { id: each.id } });
      expect(await filters(each)).toEqual([]);
    }
  });

  test('a log that changes while its filters are made, or of which bytes are missing, has none', async () => {
    const [job, damaged] = await jobsOf(2);
    const logs = logStore(world.services, job!.organizationId);
    const bytes = Buffer.from('some words\n'.repeat(10_000));
    await store(job!, bytes);
    const { workers } = world.services;
    const run = vi.spyOn(workers, 'run').mockImplementationOnce(async (...call) => {
      const late = Buffer.from('late\n');
      await appendChunk(logs, logRef(job!), { sequence: 9, offset: bytes.length, size: late.length, bytes: late });
      return workers.run(...call);
    });
    await digestLog(world.services, job!);
    run.mockRestore();
    expect(await filters(job!)).toEqual([]);
    expect((await search('late')).lines).toEqual([`${job!.id}:10000`]);

    await store(damaged!, Buffer.from('whole\n'));
    const { storedKey } = await db()
      .selectFrom('log_chunks')
      .select('storedKey')
      .where('jobId', '=', damaged!.id)
      .executeTakeFirstOrThrow();
    const get = vi.spyOn(world.services.storage, 'get').mockResolvedValueOnce(null);
    await digestLog(world.services, damaged!);
    expect(get).toHaveBeenCalledWith(storedKey);
    get.mockRestore();
    expect(await filters(damaged!)).toEqual([]);
    expect((await search('whole')).lines).toEqual([`${damaged!.id}:0`]);
  });

  test('a finished job has filters, and one search looks at more logs than it may read', async () => {
    await world.close();
    world = await World.create();
    await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
    const id = await agent.takeJob();
    await agent.chunk(id, 1, 0, 'the log of an agent\n').expect(201);
    await agent.finish(id).expect(200);
    await runUntilIdle(world.services);
    const job = await db().selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(await filters(job)).toEqual([{ startOffset: 0, size: 20, firstLine: 0 }]);
    const copies = limits.searchedLogs + limits.filteredLogsTogether;
    await sql`insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid()))).*
      from jobs j, generate_series(1, ${copies}::int) where j.id = ${id}`.execute(db());
    for (const table of ['log_usage', 'log_filters', 'log_chunks'])
      await sql`insert into ${sql.table(table)} select (jsonb_populate_record(t, jsonb_build_object('job_id', j.id))).*
        from ${sql.table(table)} t, jobs j where t.job_id = ${id} and j.build_id = ${job.buildId} and j.id <> ${id}
      `.execute(db());
    const { pages, bytes } = await search('no such text');
    expect([pages, bytes]).toEqual([1, 0]);
    expect((await search('[no]{2} such', { regexp: true })).pages).toBe(1);
    expect((await search('of a[m-o] agent')).pages).toBe(1);
    expect((await search('x.y', { regexp: true })).pages).toBe(2);
  });
});
