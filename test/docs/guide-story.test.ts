import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Program } from '../support/program.js';
import { testUnless } from '../support/skips.js';

function has(command: string, argument: string): boolean {
  try {
    execFileSync(command, [argument], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

const typescript = ['--no-warnings', '--import', resolve('test/support/typescript/register.js')];

/** How a language runs an example, in a copy of its folder; `here` is false where its tool is absent. */
const languages = [
  { name: 'curl', here: has('curl', '--version'), command: (topic: string) => ['sh', `${topic}.sh`] },
  { name: 'typescript', here: true, command: (topic: string) => [process.execPath, ...typescript, `${topic}.ts`] },
  { name: 'python', here: has('python3', '--version'), command: (topic: string) => ['python3', `${topic}.py`] },
  { name: 'go', here: has('go', 'version'), command: (topic: string) => ['go', 'run', `./${topic}`] },
];

/** What the example of a topic prints, in every language. */
const topics: Record<string, RegExp> = {
  access: /^true\nread_builds\ndemo@example\.com\n$/,
  errors:
    /^422 Validation Failed: name missing, repository missing, configuration Step configuration is missing, .*\nBAD_USER_INPUT: name, repository\.url\n$/,
  idempotency: /^(\d+)\n\1\n(?!\1)(\d+)\n\2\n$/,
  pages: /^(\d+ \d+ \d+.*)\n\1\n$/,
  limits: /^Limit\nRemaining\nComplexity-Actual\n$/,
  conditional: /^304\n$/,
  follow: /^hello\nPASSED\n$/,
  webhook: /^true ping\n$/,
};
/** A receiver of webhooks listens, which curl cannot. */
const cannot = (language: string, topic: string) => language === 'curl' && topic === 'webhook';

/** Stands before the server and answers the first request 429, so that every client has to wait once. */
function impatientProxy(target: string) {
  let requests = 0;
  return createServer((request, response) => {
    if (requests++ === 0) return void response.writeHead(429, { 'Retry-After': '1' }).end('{"message":"wait"}');
    const { method = 'GET', url = '/', headers } = request;
    const onward = forward(new URL(url, target), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
}

describe('the examples of docs/guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-guide-'));
  const environment: Record<string, string> = { GOFLAGS: '-mod=mod', PYTHONDONTWRITEBYTECODE: '1' };
  let program: Program;

  const run = async ([command = '', ...args]: string[], language: string, own: Record<string, string> = {}) => {
    const env = { ...process.env, ...environment, ...own };
    const options = { cwd: join(folder, language), env, timeout: 90_000 };
    return (await promisify(execFile)(command, args, options)).stdout;
  };

  beforeAll(async () => {
    // TypeScript is compiled with the settings of the repository, from files beside them.
    for (const { name } of languages) cpSync(`examples/guide/${name}`, join(folder, name), { recursive: true });
    cpSync('.swcrc', join(folder, 'typescript', '.swcrc'));
    cpSync('package.json', join(folder, 'package.json'));
    program = Program.start(['dev', '--json'], { DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'error' });
    const [reply] = await program.until(/^\{[^]*\n\}\n/, 150_000);
    const { url, token } = JSON.parse(reply) as { url: string; token: string };
    Object.assign(environment, { SLIPWAY_URL: url, SLIPWAY_TOKEN: token });
    const [, start = ''] = /```sh\n([^]*?)```/.exec(readFileSync('docs/guide.md', 'utf8')) ?? [];
    const typed = start.replace('http://127.0.0.1:3000', url).replace('bkua_...', token);
    await run(['sh', '-ec', typed], 'curl');
    await vi.waitFor(
      async () => {
        const headers = { Authorization: `Bearer ${token}` };
        const build = await fetch(`${url}/v2/organizations/demo/pipelines/guide/builds/1`, { headers });
        expect(await build.json()).toMatchObject({ state: 'passed' });
      },
      { timeout: 60_000, interval: 100 },
    );
  }, 240_000);
  afterAll(async () => {
    await program.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  for (const { name, here, command } of languages) {
    const reason = here ? null : `${name} is not on this machine`;
    testUnless(
      reason,
      `in ${name} print what the guide says`,
      async () => {
        for (const [topic, expected] of Object.entries(topics)) {
          if (cannot(name, topic)) continue;
          const printed = await run(command(topic), name);
          expect({ topic, printed }).toEqual({ topic, printed: expect.stringMatching(expected) });
        }
      },
      300_000,
    );

    testUnless(
      reason,
      `in ${name} wait after 429 and try again`,
      async () => {
        const proxy = impatientProxy(environment['SLIPWAY_URL'] ?? '');
        await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
        const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
        try {
          expect(await run(command('conditional'), name, { SLIPWAY_URL: url })).toBe('304\n');
        } finally {
          proxy.closeAllConnections();
          await new Promise((done) => proxy.close(done));
        }
      },
      90_000,
    );
  }
});
