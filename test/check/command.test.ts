import { openDatabase } from '../../src/database/open.js';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

describe('slipway check', () => {
  const directory = temporaryDirectory();
  const dataDir = directory.path;
  const check = (...args: string[]) => Program.start(['check', ...args], { DATA_DIR: dataDir }).ended;
  afterAll(() => directory.remove());

  test('ends with 0 where nothing is wrong or all was mended, 1 where something is left, 2 where it was asked wrongly', async () => {
    const absent = await check();
    expect(absent).toMatchObject({ code: 1, stdout: '' });
    expect(absent.stderr).toContain(`there is no database in ${dataDir}`);
    expect(await check('--after', 'here')).toMatchObject({ code: 2 });

    await migrateDataDirectory(dataDir);
    const clean = await check();
    expect(clean).toMatchObject({ code: 0, stdout: '' });
    expect(clean.stderr).toContain('everything is as it should be');

    const database = await openDatabase({ dataDir });
    await database.db
      .insertInto('sso_domains')
      .values({ organizationId: '11111111-1111-4111-8111-111111111111', domain: 'example.com', role: 'member' })
      .execute();
    await database.close();
    const found = await check('--json');
    expect(found.code).toBe(1);
    expect(JSON.parse(found.stdout)).toEqual({
      promise: 'I19',
      subject: '1 rows of sso_domains with organization_id 11111111-1111-4111-8111-111111111111',
      is: 'of a row of organizations that does not exist',
      expected: 'of one that exists',
      mended: false,
      action: '--repair: deleted the rows',
    });
    expect(found.stderr).toContain('found 1, mended 0, 1 left: see --repair');
    const mended = await check('--repair', '--no-bytes');
    expect(mended.code).toBe(0);
    expect(mended.stdout).toMatch(
      /^I19 1 rows of sso_domains .*; should be of one that exists. Mended: deleted the rows\n$/,
    );
    expect(await check()).toMatchObject({ code: 0, stdout: '' });
  }, 120_000);
});
