import { temporaryDirectory, migrateDataDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

describe('slipway user', () => {
  const directory = temporaryDirectory();
  const env = { DATA_DIR: directory.path, PORT: '0' };
  beforeAll(() => migrateDataDirectory(directory.path), 60_000);
  afterAll(() => directory.remove());

  const slipway = async (args: string[], input = '') => {
    const program = Program.start(['user', ...args], env, [], process.cwd(), 'pipe');
    program.child.stdin?.end(input);
    return program.ended;
  };
  const ada = ['create', '--email', 'ada@example.com', '--name', 'Ada', '--organization', 'acme', '--role', 'admin'];
  const grace = ['create', '--email', 'grace@example.com', '--name', 'Grace', '--role', 'member'];

  test('the first user makes the organization, signs in with the password of standard input, and another one with a made-up one', async () => {
    expect(await slipway([...ada, '--json'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a password is needed'),
    });
    const first = await slipway([...ada, '--json'], 'correct horse\r\nanother line\n');
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      name: 'Ada',
      organization: 'acme',
      role: 'admin',
    });
    const again = await slipway(ada, 'x\n');
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is a user ada@example.com already'),
    });
    const elsewhere = await slipway([...grace, '--organization', 'other'], 'x\n');
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no organization other') });
    const second = await slipway([...grace, '--organization', 'acme', '--generate-password']);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]{20}\n$/) });
    expect(await slipway(['password', '--email', 'nobody@example.com'], 'x\n')).toMatchObject({ code: 1 });
    expect(await slipway(['password', '--email', 'ada@example.com'], 'battery staple\n')).toMatchObject({
      code: 0,
      stdout: 'ada@example.com can sign in\n',
    });

    const server = Program.start(['serve'], env);
    const url = (await server.until(/"url":"(http:[^"]+)"/))[1] ?? '';
    const signIn = async (email: string, password: string) => {
      const body = new URLSearchParams({ email, password });
      const reply = await fetch(`${url}/login`, { method: 'POST', body, redirect: 'manual' });
      return [reply.status, reply.headers.get('location')];
    };
    expect(await signIn('ada@example.com', 'correct horse')).toEqual([401, null]);
    expect(await signIn('ada@example.com', 'battery staple')).toEqual([303, '/']);
    expect(await signIn('grace@example.com', second.stdout.trim())).toEqual([303, '/']);
    await server.stop();
  }, 180_000);

  test.each([
    ['a role that does not exist', [...ada.slice(0, -1), 'owner']],
    ['no email address', ['password']],
  ])('%s is wrong usage', async (_what, args) => {
    expect((await slipway(args, 'x\n')).code).toBe(2);
  });
});
