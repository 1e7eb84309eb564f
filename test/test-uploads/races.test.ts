import { runUntilIdle } from '../support/run-until-idle.js';
import { finishSuiteRuns } from '../../src/background/suites/finish-suite-runs.js';
import { BothDoors } from '../support/both-doors.js';
import { describeOnPostgres } from '../support/database.js';
import { newSuite, result, upload } from '../support/suites.js';

describeOnPostgres('simultaneous test uploads', () => {
  let doors: BothDoors;
  beforeAll(async () => void (doors = await BothDoors.open()));
  afterAll(() => doors.close());
  const ten = Array.from({ length: 10 }, (_, index) => index);

  test('simultaneous uploads with one key make one run, counting every result and creating every test once', async () => {
    const suite = await newSuite(doors, 'One run');
    const receipts = await Promise.all(
      ten.map((index) =>
        upload(doors, suite.authorization, 'K', [
          result('shared'),
          result(`own ${index}`),
          result('z'),
          result('a', { result: index === 7 ? 'failed' : 'passed' }),
        ]),
      ),
    );
    expect(new Set(receipts.map((receipt) => receipt.run_id)).size).toBe(1);
    const run = await doors.world.services.db
      .selectFrom('suite_runs')
      .select(['uploadsCount', 'passedCount', 'failedCount', 'keptCount', 'result'])
      .where('suiteId', '=', suite.id)
      .execute();
    expect(run).toEqual([{ uploadsCount: 10, passedCount: 39, failedCount: 1, keptCount: 40, result: 'failed' }]);
    expect(
      await doors.world.services.db.selectFrom('suite_tests').select('id').where('suiteId', '=', suite.id).execute(),
    ).toHaveLength(13);
  });

  test('ten simultaneous copies of an upload are stored once', async () => {
    const suite = await newSuite(doors, 'Same');
    const receipts = await Promise.all(ten.map(() => upload(doors, suite.authorization, 'K', [result('a')])));
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
    expect(
      await doors.world.services.db
        .selectFrom('suite_executions')
        .select('id')
        .where('suiteId', '=', suite.id)
        .execute(),
    ).toHaveLength(1);
  });

  test('simultaneous uploads into several runs of one suite all succeed', async () => {
    const suite = await newSuite(doors, 'Several');
    const names = Array.from({ length: 50 }, (_, index) => `test ${index}`);
    await Promise.all(
      ten.map((index) =>
        upload(
          doors,
          suite.authorization,
          `K${index}`,
          (index % 2 ? names : [...names].reverse()).map((name) =>
            result(name, { location: `${index}:1`, file_name: `${index}` }),
          ),
        ),
      ),
    );
    expect(
      await doors.world.services.db.selectFrom('suite_tests').select('id').where('suiteId', '=', suite.id).execute(),
    ).toHaveLength(50);
  });

  test('uploads during the deletion of their suite leave no rows behind', async () => {
    const suite = await newSuite(doors, 'Deleted');
    const sent = ten.map((index) =>
      doors.collector(suite.authorization).send({ format: 'json', run_env: { key: `K${index}` }, data: [result('a')] }),
    );
    const [deleted, ...replies] = await Promise.all([doors.rest(['delete', suite.path]), ...sent]);
    expect(deleted?.status).toBe(204);
    for (const reply of replies) expect([202, 401, 404]).toContain(reply?.status);
    await runUntilIdle(doors.world.services);
    for (const table of ['suite_runs', 'suite_uploads', 'suite_tests', 'suite_executions'] as const) {
      expect(
        await doors.world.services.db.selectFrom(table).select('suiteId').where('suiteId', '=', suite.id).execute(),
      ).toEqual([]);
    }
  });

  test('a run that several processes finish at once ends once', async () => {
    const suite = await newSuite(doors, 'Settled');
    const { run_id: id } = await upload(doors, suite.authorization, 'K', [result('a')]);
    doors.world.clock.advance(60);
    await Promise.all(ten.map(() => finishSuiteRuns(doors.world.services)));
    const events = await doors.world.services.db
      .selectFrom('events')
      .select('toState')
      .where('subjectId', '=', id)
      .where('type', '=', 'run.state')
      .orderBy('id')
      .execute();
    expect(events.map((event) => event.toState)).toEqual(['running', 'finished']);
  });
});
