import { runSettlesAfterMs, runStaleAfterMs } from '../../src/domain/suites/suite-run-state.js';
import { finishSuiteRuns } from '../../src/background/suites/finish-suite-runs.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { newSuite, result, upload } from '../support/suites.js';

let surfaces: BothSurfaces;
let suite: Awaited<ReturnType<typeof newSuite>>;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  suite = await newSuite(surfaces, 'RSpec');
});
afterAll(() => surfaces.close());

const standing = async (id: string) => {
  const { state, result: came } = await surfaces.read(['get', `${suite.path}/runs/${id}`]);
  return [state, came];
};
const pass = async (ms: number) => {
  surfaces.world.clock.advance(ms / 1000);
  return finishSuiteRuns(surfaces.world.services);
};

test('a suite run finishes when all its uploads are processed, and runs again when another upload arrives [api-v2:nkkcfk]', async () => {
  const { run_id: id } = await upload(surfaces, suite.authorization, 'A', [result('a')]);
  expect(await standing(id)).toEqual(['running', 'passed']);
  expect(await pass(runSettlesAfterMs - 1000)).toBe(0);
  expect(await pass(1000)).toBe(1);
  expect(await standing(id)).toEqual(['finished', 'passed']);
  await upload(surfaces, suite.authorization, 'A', [result('b', { result: 'failed' })]);
  expect(await standing(id)).toEqual(['running', 'failed']);
  await upload(surfaces, suite.authorization, 'A', [result('c')]);
  await pass(runSettlesAfterMs);
  expect(await standing(id)).toEqual(['finished', 'failed']);
  expect(await pass(runStaleAfterMs)).toBe(0);
  expect(await standing(id)).toEqual(['finished', 'failed']);
});

test('a suite run without a result becomes stale after a while, and leaves that state with its first result [api-v2:fbhbfi]', async () => {
  const { run_id: id } = await upload(surfaces, suite.authorization, 'B', []);
  await pass(runSettlesAfterMs);
  expect(await standing(id)).toEqual(['finished', 'pending']);
  await pass(runStaleAfterMs);
  expect(await standing(id)).toEqual(['finished', 'stale']);
  await upload(surfaces, suite.authorization, 'B', [result('a', { result: 'skipped' })]);
  expect(await standing(id)).toEqual(['running', 'passed']);
});

test("each change of a suite run's state or result is recorded as one event, in order", async () => {
  const { run_id: id } = await upload(surfaces, suite.authorization, 'C', []);
  await pass(runSettlesAfterMs);
  await pass(runStaleAfterMs);
  await upload(surfaces, suite.authorization, 'C', [result('a')]);
  const events = await surfaces.world.services.db
    .selectFrom('events')
    .select(['type', 'fromState', 'toState'])
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute();
  expect(events.map((event) => [event.type, event.fromState, event.toState])).toEqual([
    ['run.state', null, 'running'],
    ['run.result', null, 'pending'],
    ['run.state', 'running', 'finished'],
    ['run.result', 'pending', 'stale'],
    ['run.state', 'finished', 'running'],
    ['run.result', 'stale', 'passed'],
  ]);
});

test("executions beyond a suite run's limit are counted and affect the result, but are not stored", async () => {
  const { db } = surfaces.world.services;
  const { run_id: id } = await upload(surfaces, suite.authorization, 'D', [result('a')]);
  await db.updateTable('suite_runs').set({ keptCount: 99_999 }).where('id', '=', id).execute();
  expect(
    await upload(surfaces, suite.authorization, 'D', [result('b'), result('c', { result: 'failed' })]),
  ).toMatchObject({ queued: 2, skipped: 0 });
  expect(
    await db
      .selectFrom('suite_runs')
      .select(['passedCount', 'failedCount', 'keptCount', 'result'])
      .where('id', '=', id)
      .executeTakeFirst(),
  ).toEqual({ passedCount: 2, failedCount: 1, keptCount: 100_000, result: 'failed' });
  const kept = await surfaces.read(['get', `${suite.path}/runs/${id}/executions`]);
  expect(kept.map((each: { test_name: string }) => each.test_name)).toEqual(['a', 'c']);
  await db.updateTable('suite_runs').set({ uploadsCount: 10_000 }).where('id', '=', id).execute();
  const refused = await surfaces
    .collector(suite.authorization)
    .send({ format: 'json', run_env: { key: 'D' }, data: [result('z')] });
  expect([refused.status, refused.body.message]).toEqual([422, 'The run has had 10000 uploads; use another key']);
});
