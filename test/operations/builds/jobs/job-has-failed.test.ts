import { sql } from 'kysely';
import type { OpenDatabase } from '../../../../src/database/open.js';
import { hasFailed } from '../../../../src/domain/builds/failures/job-failure.js';
import { jobStates, jobTypes } from '../../../../src/domain/builds/job-state.js';
import { jobHasFailed } from '../../../../src/resources/builds/failures/job-has-failed.js';
import { freshDatabase } from '../../../support/database.js';

const jobs = jobTypes.flatMap((type) =>
  jobStates.flatMap((state) =>
    [true, false].map((passed) => ({
      type,
      state,
      passed,
      exitStatus: null,
      signal: null,
      signalReason: null,
      timeoutInMinutes: null,
    })),
  ),
);
const nameOf = ({ type, state, passed }: (typeof jobs)[number]) => `${type} ${state} ${passed}`;

describe('whether a job has failed', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  test('is the same to a statement and to the domain, of every type and in every state', async () => {
    const { rows } = await sql<(typeof jobs)[number]>`
      select j.type, j.state, j.passed
      from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as j(type text, state text, passed boolean)
      where ${jobHasFailed('j')}`.execute(database.db);
    const failed = jobs.filter(hasFailed);
    expect(failed).toHaveLength(3);
    expect(rows.map(nameOf).sort()).toEqual(failed.map(nameOf).sort());
  });
});
