import { runUntilIdle } from '../support/run-until-idle.js';
import { finishSuiteRuns } from '../../src/background/suites/finish-suite-runs.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { describeOnPostgres } from '../support/database.js';
import { newSuite, result, upload } from '../support/suites.js';

describeOnPostgres('simultaneous test uploads', () => {
  let surfaces: BothSurfaces;
  beforeAll(async () => void (surfaces = await BothSurfaces.open()));
  afterAll(() => surfaces.close());
  const ten = Array.from({ length: 10 }, (_, index) => index);

  test('simultaneous uploads with one key make one run, counting every result and creating every test once', async () => {
    const suite = await newSuite(surfaces, 'One run');
    const receipts = await Promise.all(
      ten.map((index) =>
        upload(surfaces, suite.authorization, 'K', [
          result('shared'),
          result(`own ${index}`),
          result('z'),
          result('a', { result: index === 7 ? 'failed' : 'passed' }),
        ]),
      ),
    );
    expect(new Set(receipts.map((receipt) => receipt.run_id)).size).toBe(1);
    const run = await surfaces.world.services.db
      .selectFrom('suite_runs')
      .select(['uploadsCount', 'passedCount', 'failedCount', 'keptCount', 'result'])
      .where('suiteId', '=', suite.id)
      .execute();
    expect(run).toEqual([{ uploadsCount: 10, passedCount: 39, failedCount: 1, keptCount: 40, result: 'failed' }]);
    expect(
      await surfaces.world.services.db.selectFrom('suite_tests').select('id').where('suiteId', '=', suite.id).execute(),
    ).toHaveLength(13);
  });

  test('ten simultaneous copies of an upload are stored once', async () => {
    const suite = await newSuite(surfaces, 'Same');
    const receipts = await Promise.all(ten.map(() => upload(surfaces, suite.authorization, 'K', [result('a')])));
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
    expect(
      await surfaces.world.services.db
        .selectFrom('suite_executions')
        .select('id')
        .where('suiteId', '=', suite.id)
        .execute(),
    ).toHaveLength(1);
  });

  test('simultaneous uploads into several runs of one suite all succeed', async () => {
    const suite = await newSuite(surfaces, 'Several');
    const names = Array.from({ length: 50 }, (_, index) => `test ${index}`);
    await Promise.all(
      ten.map((index) =>
        upload(
          surfaces,
          suite.authorization,
          `K${index}`,
          (index % 2 ? names : [...names].reverse()).map((name) =>
            result(name, { location: `${index}:1`, file_name: `${index}` }),
          ),
        ),
      ),
    );
    expect(
      await surfaces.world.services.db.selectFrom('suite_tests').select('id').where('suiteId', '=', suite.id).execute(),
    ).toHaveLength(50);
  });

  test('uploads during the deletion of their suite leave no rows behind', async () => {
    const suite = await newSuite(surfaces, 'Deleted');
    const sent = ten.map((index) =>
      surfaces
        .collector(suite.authorization)
        .send({ format: 'json', run_env: { key: `K${index}` }, data: [result('a')] }),
    );
    const [deleted, ...replies] = await Promise.all([surfaces.rest(['delete', suite.path]), ...sent]);
    expect(deleted?.status).toBe(204);
    for (const reply of replies) expect([202, 401, 404]).toContain(reply?.status);
    await runUntilIdle(surfaces.world.services);
    for (const table of ['suite_runs', 'suite_uploads', 'suite_tests', 'suite_executions'] as const) {
      expect(
        await surfaces.world.services.db.selectFrom(table).select('suiteId').where('suiteId', '=', suite.id).execute(),
      ).toEqual([]);
    }
  });

  test('a run that several processes finish at once ends once', async () => {
    const suite = await newSuite(surfaces, 'Settled');
    const { run_id: id } = await upload(surfaces, suite.authorization, 'K', [result('a')]);
    surfaces.world.clock.advance(60);
    await Promise.all(ten.map(() => finishSuiteRuns(surfaces.world.services)));
    const events = await surfaces.world.services.db
      .selectFrom('events')
      .select('toState')
      .where('subjectId', '=', id)
      .where('type', '=', 'run.state')
      .orderBy('id')
      .execute();
    expect(events.map((event) => event.toState)).toEqual(['running', 'finished']);
  });
});
