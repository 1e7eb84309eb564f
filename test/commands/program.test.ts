import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProgram } from '../../src/commands/program.js';
import { runProgram } from '../../src/commands/run-program.js';
import { builtProgram } from '../support/program.js';

/** Runs a command line in this process and collects the output of commander. */
async function slipway(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const program = createProgram();
  const silence = (command: typeof program): void => {
    command.configureOutput({ writeOut: (text) => (out += text), writeErr: (text) => (err += text) });
    command.commands.forEach((inner) => silence(inner as typeof program));
  };
  silence(program);
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = ((text: string) => (err += text) !== '') as typeof process.stderr.write;
  try {
    return { code: await runProgram(program, ['node', 'slipway', ...args]), out, err };
  } finally {
    process.stderr.write = write;
  }
}

const token = ['token', 'create', '--user', 'a@example.com', '--description', 'x'];

describe('the slipway program', () => {
  let program: string;
  // Whichever file is the first to need it builds it.
  beforeAll(() => void (program = builtProgram()), 180_000);

  test.each([
    [[]],
    [['dev']],
    [['serve']],
    [['migrate']],
    [['apply']],
    [['export']],
    [['run']],
    [['pipeline']],
    [['pipeline', 'validate']],
    [['agent']],
    [['agent', 'start']],
    [['token']],
    [['token', 'create']],
    [['organization']],
    [['organization', 'delete']],
    [['user']],
    [['user', 'create']],
    [['user', 'password']],
    [['backup']],
    [['restore']],
    [['move']],
    [['retention']],
    [['retention', 'plan']],
    [['retention', 'run']],
    [['secret-key']],
    [['secret-key', 'rotate']],
    [['schema']],
    [['config']],
    [['completion']],
  ])('the command line %j accepts --help and succeeds', async (command) => {
    const { code, out } = await slipway(...command, '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: /);
  });

  test('slipway --version prints the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await slipway('--version')).toMatchObject({ code: 0, out: `${version}\n` });
  });

  test.each([
    ['no command', [], /Usage: slipway/],
    ['an unknown command', ['server'], /unknown command 'server'/],
    ['an unknown option', ['serve', '--port', '1'], /unknown option '--port'/],
    ['a missing argument', ['apply'], /missing required argument 'file'/],
    ['one argument too many', ['migrate', 'now'], /too many arguments/],
    ['--alone without --step', ['run', '--alone'], /--alone needs --step/],
    [
      'a pipeline file that is not there',
      ['pipeline', 'validate', 'absent.yml'],
      /absent\.yml cannot be read \(ENOENT\)/,
    ],
    ['a deletion that nobody confirms', ['organization', 'delete', 'acme'], /pass --yes/],
    ['a missing subcommand', ['agent'], /Usage: slipway agent/],
    ['an option without its value', ['serve', '--apply'], /argument missing/],
    ['a required option left away', ['token', 'create'], /required option '--user <email>' not specified/],
    ['a scope that does not exist', [...token, '--scopes', 'fly', '--organizations', 'all'], /There is no scope fly/],
    ['no organization', [...token, '--scopes', 'all', '--organizations', ','], /At least one organization/],
    [
      'an invalid time',
      [...token, '--scopes', 'all', '--organizations', 'all', '--expires-at', 'soon'],
      /must be an ISO 8601 time/,
    ],
    [
      'a time that is over',
      [...token, '--scopes', 'all', '--organizations', 'all', '--expires-at', '2001-01-01'],
      /lies in the past/,
    ],
    ['an agent without a token', ['agent', 'start'], /--token .* is required/],
    ['invalid tags', ['agent', 'start', '--token', 'x', '--tags', 'queue'], /"queue" is not key=value/],
    [
      'an invalid endpoint',
      ['agent', 'start', '--token', 'x', '--endpoint', 'nowhere'],
      /endpoint: "nowhere" is not an http/,
    ],
    ['a count that is not a number', ['agent', 'start', '--token', 'x', '--spawn', 'two'], /must be a whole number/],
    [
      'a count of zero',
      ['agent', 'start', '--token', 'x', '--spawn', '0'],
      /spawn: must be a whole number of at least 1/,
    ],
  ])('%s is wrong usage: the program exits with code 2 and a message on stderr', async (_what, args, message) => {
    const { code, out, err } = await slipway(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  test('a usage error points at --help, also in a subcommand', async () => {
    for (const args of [
      ['serve', '--port', '1'],
      ['token', 'create'],
      ['agent', 'start', '--spawn', 'two'],
    ])
      expect((await slipway(...args)).err).toContain('add --help');
  });

  test('the agent reads its token from --token-file, and an unusable file is wrong usage', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'token-file-'));
    const path = join(directory, 'token');
    writeFileSync(path, ' \n');
    const start = (...args: string[]) => slipway('agent', 'start', ...args);
    expect(await start('--token-file', join(directory, 'none'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be read (ENOENT)'),
    });
    expect((await start('--token-file', path)).err).toContain('is empty');
    writeFileSync(path, 'a-token\n');
    expect((await start('--token', 'x', '--token-file', path)).err).toContain('cannot be used together');
    // The token is accepted: the next problem is that of the endpoint.
    expect((await start('--token-file', path, '--endpoint', 'nowhere')).err).toContain('endpoint: "nowhere"');
    rmSync(directory, { recursive: true });
  });

  test('every configuration error is reported at once, and the program fails', async () => {
    const before = process.env;
    process.env = {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'postgres://db/slipway',
      METRICS: 'maybe',
      WEBHOOK_IPS: '192.0.2.0/24, nowhere',
    };
    try {
      const { code, err } = await slipway('migrate');
      expect(code).toBe(1);
      for (const name of ['PORT:', 'LOG_LEVEL:', 'METRICS:', 'WEBHOOK_IPS', 'SECRET_KEY: required with DATABASE_URL'])
        expect(err).toContain(`\n  ${name}`);
    } finally {
      process.env = before;
    }
  });

  test('a plan of migrations makes no database where there is none, and says so', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
    const before = process.env;
    process.env = { DATA_DIR: directory };
    try {
      const { code, err } = await slipway('migrate', '--plan');
      expect([code, err]).toEqual([1, expect.stringContaining(`there is no database in ${directory} yet`)]);
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      process.env = before;
      rmSync(directory, { recursive: true });
    }
  });

  test('a missing provisioning file makes the program fail', async () => {
    expect(await slipway('apply', 'no-such-file.yaml')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no-such-file.yaml:1:1: cannot be read (ENOENT)'),
    });
  });

  test('a reader that closes the output early does not make the program fail', () => {
    const command = `"${process.execPath}" --no-warnings "${program}" schema --openapi | head -c 9; echo " \${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '{\n  "open 0\n', stderr: '' });
  }, 60_000);
});
