import { spawnSync } from 'node:child_process';
import { createProgram } from '../../src/commands/program.js';
import { runProgram } from '../../src/commands/run-program.js';
import { builtProgram } from '../support/program.js';

/** Runs a command line in this process; what commander writes is collected. */
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
  test.each([
    [[]], [['dev']], [['serve']], [['migrate']], [['apply']], [['agent']], [['agent', 'start']], [['token']], [['token', 'create']], [['schema']],
  ])('%j has --help, which is a success', async (command) => {
    const { code, out } = await slipway(...command, '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: /);
  });

  test('tells its version', async () => {
    expect(await slipway('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test.each([
    ['no command', [], /Usage: slipway/],
    ['an unknown command', ['server'], /unknown command 'server'/],
    ['an unknown option', ['serve', '--port', '1'], /unknown option '--port'/],
    ['a missing argument', ['apply'], /missing required argument 'file'/],
    ['an argument too many', ['migrate', 'now'], /too many arguments/],
    ['a missing subcommand', ['agent'], /Usage: slipway agent/],
    ['an option without its value', ['serve', '--apply'], /argument missing/],
    ['a required option left away', ['token', 'create'], /required option '--user <email>' not specified/],
    ['a scope that does not exist', [...token, '--scopes', 'fly', '--organizations', 'all'], /There is no scope fly/],
    ['no organization', [...token, '--scopes', 'all', '--organizations', ','], /At least one organization/],
    ['a time that is none', [...token, '--scopes', 'all', '--organizations', 'all', '--expires-at', 'soon'], /must be an ISO 8601 time/],
    ['a time that is over', [...token, '--scopes', 'all', '--organizations', 'all', '--expires-at', '2001-01-01'], /lies in the past/],
    ['an agent without a token', ['agent', 'start'], /--token .* is required/],
    ['tags that are none', ['agent', 'start', '--token', 'x', '--tags', 'queue'], /"queue" is not key=value/],
    ['an endpoint that is none', ['agent', 'start', '--token', 'x', '--endpoint', 'nowhere'], /endpoint: "nowhere" is not an http/],
    ['a count that is none', ['agent', 'start', '--token', 'x', '--spawn', 'two'], /must be a whole number/],
    ['a count of nothing', ['agent', 'start', '--token', 'x', '--spawn', '0'], /spawn: must be a whole number of at least 1/],
  ])('%s is wrong usage: exit code 2, told on stderr', async (_what, args, message) => {
    const { code, out, err } = await slipway(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  test('every fault of the configuration is named at once, and is a failure', async () => {
    const before = process.env;
    process.env = { PORT: 'http', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://db/slipway', METRICS: 'maybe', WEBHOOK_IPS: '192.0.2.0/24, nowhere' };
    try {
      const { code, err } = await slipway('migrate');
      expect(code).toBe(1);
      for (const name of ['PORT:', 'LOG_LEVEL:', 'METRICS:', 'WEBHOOK_IPS', 'SECRET_KEY: required with DATABASE_URL']) expect(err).toContain(`\n  ${name}`);
    } finally {
      process.env = before;
    }
  });

  test('a provisioning file that is not there is a failure', async () => {
    expect(await slipway('apply', 'no-such-file.yaml')).toMatchObject({ code: 1, err: expect.stringContaining('no-such-file.yaml:1:1: cannot be read (ENOENT)') });
  });

  test('a reader that leaves early is no failure', () => {
    const command = `"${process.execPath}" --no-warnings "${builtProgram()}" schema --openapi | head -c 9; echo " \${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '{\n  "open 0\n', stderr: '' });
  }, 60_000);
});
