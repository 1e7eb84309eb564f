import { temporaryDirectory, migrateDataDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

describe('slipway user', () => {
  const directory = temporaryDirectory();
  beforeAll(() => migrateDataDirectory(directory.path), 60_000);
  afterAll(() => directory.remove());

  const slipway = async (args: string[], input = '') => {
    const program = Program.start(['user', ...args], { DATA_DIR: directory.path }, [], process.cwd(), 'pipe');
    program.child.stdin?.end(input);
    return program.ended;
  };
  const ada = ['create', '--email', 'ada@example.com', '--name', 'Ada', '--organization', 'acme', '--role', 'admin'];

  // Starts of whole processes with a database, on a machine that may be busy.
  test('the first user makes the organization, with a password of standard input, and gets another one made up', async () => {
    const first = await slipway([...ada, '--json'], 'correct horse\r\nanother line\n');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      name: 'Ada',
      organization: 'acme',
      role: 'admin',
    });
    const second = await slipway(['password', '--email', 'ada@example.com', '--generate-password']);
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[\w-]{20}\n$/),
      stderr: 'The password of ada@example.com is shown this once:\n',
    });
  }, 120_000);

  test.each([
    ['no password', ada, ''],
    ['an empty password', ada, '\n'],
    ['a password that is too long', ada, 'x'.repeat(1_001)],
    ['a role that does not exist', [...ada.slice(0, -1), 'owner'], 'x\n'],
    ['no email address', ['password'], 'x\n'],
  ])(
    '%s is wrong usage',
    async (_what, args, input) => {
      expect((await slipway(args, input)).code).toBe(2);
    },
    30_000,
  );
});
