import { gzipSync } from 'node:zlib';
import { limits } from '../../src/domain/limits/limits.js';
import { failureBytes, withinFailureRoom } from '../../src/domain/suites/results/failure-size.js';
import { readResults } from '../../src/domain/suites/results/formats.js';
import { isRefused, type TestResult } from '../../src/domain/suites/results/result.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { newSuite, result } from '../support/suites.js';

const line = 'x'.repeat(1_000);
const failed = (name: string, lines: number) =>
  result(name, {
    result: 'failed',
    failure_reason: 'broken',
    failure_expanded: [{ expanded: Array(lines).fill(line), backtrace: ['at a'] }],
  });

function read(results: unknown[]): TestResult[] {
  const parsed = readResults('json', results);
  return parsed.ok ? parsed.results.filter((each): each is TestResult => !isRefused(each)) : [];
}

describe('sizes of failures', () => {
  test('a failure is cut at the end of a line after 64 KiB, with a line that says how much is left out', () => {
    const [short, long] = read([failed('short', 60), failed('long', 200)]);
    expect(short?.failureExpanded[0]?.expanded).toHaveLength(60);
    expect(long?.failureExpanded).toEqual([
      {
        expanded: [
          ...Array<string>(65).fill(line),
          expect.stringMatching(/^\(1354\d\d bytes are left out: a failure is stored with at most 65536\)$/),
        ],
        backtrace: [],
      },
    ]);
    expect(failureBytes(long as TestResult)).toBeLessThan(limits.testFailureBytes + 100);
  });

  test('failures without room in upload or run lose their sections and keep their results', () => {
    const [one, two, three] = read([failed('one', 10), failed('two', 20), failed('three', 10)]);
    const all = [one, two, three] as TestResult[];
    const { results, failureBytes: bytes } = withinFailureRoom(all, 21_000);
    expect(
      results.map(({ name, failureReason, failureExpanded }) => [
        name,
        failureReason,
        failureExpanded[0]?.expanded.length,
      ]),
    ).toEqual([
      ['one', 'broken', 10],
      ['two', 'broken', 1],
      ['three', 'broken', 10],
    ]);
    expect(bytes).toBe(failureBytes(all[0] as TestResult) + failureBytes(all[2] as TestResult));
  });

  test('twenty uploads that unpack to 29 MB of failures each leave at most their share in the run', async () => {
    const surfaces = await BothSurfaces.open();
    const suite = await newSuite(surfaces, 'Large failures');
    const lines = Array<string>(200).fill('y'.repeat(7_200));
    const data = Array.from({ length: 20 }, (_none, index) =>
      result(`large ${index}`, { result: 'failed', failure_expanded: [{ expanded: lines, backtrace: [] }] }),
    );
    const body = gzipSync(JSON.stringify({ format: 'json', run_env: { key: 'large' }, data }));
    expect(body.length).toBeLessThan(64 * 1024);
    const reply = await surfaces
      .collector(suite.authorization)
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .serialize((bytes) => bytes as unknown as string)
      .send(body as unknown as string);
    expect([reply.status, reply.body.queued]).toEqual([202, 20]);
    const { db } = surfaces.world.services;
    const run = await db.selectFrom('suite_runs').selectAll().where('key', '=', 'large').executeTakeFirstOrThrow();
    expect(run).toMatchObject({ failedCount: 20, keptCount: 20 });
    expect(run.failureBytes).toBeGreaterThan(0);
    expect(run.failureBytes).toBeLessThan(20 * (limits.testFailureBytes + 100));
    await db
      .updateTable('suite_runs')
      .set({ failureBytes: limits.testRunFailureBytes })
      .where('id', '=', run.id)
      .execute();
    const more = await surfaces
      .collector(suite.authorization)
      .send({ format: 'json', run_env: { key: 'large' }, data: [failed('one more', 5)] });
    expect(more.status).toBe(202);
    const [last] = await surfaces
      .read(['get', `${suite.path}/runs/${run.id}/executions?include_failure_expanded=true&per_page=100`])
      .then((executions: { test_name: string }[]) => executions.filter(({ test_name: name }) => name === 'one more'));
    expect(last).toMatchObject({
      failure_reason: 'broken',
      failure_expanded: [{ expanded: ['(left out: the failures of this run before it have used up their room)'] }],
    });
    await surfaces.close();
  });
});
