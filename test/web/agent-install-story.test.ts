import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import request from 'supertest';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { GitRepository } from '../support/git-repository.js';
import { Program } from '../support/program.js';

const agentToken = 'a-registration-token-of-the-cluster';
const apiToken = 'a-secret-of-twenty-characters';
const clusterId = '01930000-0000-7000-8000-000000000001';
const provisioning = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - slug: acme
    name: Acme
    members: [{user: ada@example.com, role: admin}]
    clusters:
      - name: builds
        id: ${clusterId}
        queues: [{key: default}]
        default_queue: default
        agent_tokens: [{description: agents, token: ${agentToken}}]
api_tokens:
  - {user: ada@example.com, description: ci, token: ${apiToken}, scopes: all, organizations: all}
`;

const files = ['install.sh', 'slipway-agent.mjs', 'slipway-agent.mjs.sha256'];

describe('the agent that the server hands out', () => {
  const directory = temporaryDirectory();
  const repository = new GitRepository();
  const home = join(directory.path, "the agent's home");
  const prefix = join(home, '.slipway');
  const command = join(prefix, 'bin', 'slipway-agent');
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home };
  let server: Program;
  let url: string;

  beforeAll(async () => {
    mkdirSync(home);
    const dataDir = join(directory.path, 'data');
    writeFileSync(join(directory.path, 'slipway.yaml'), provisioning);
    await migrateDataDirectory(dataDir);
    const env = { DATA_DIR: dataDir, PORT: '0' };
    server = Program.start(['serve', '--apply', join(directory.path, 'slipway.yaml')], env);
    url = (await server.until(/"url":"(http:[^"]+)"/))[1] ?? '';
  }, 120_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    directory.remove();
    repository.remove();
  });

  /** Pipes the installer into a shell, as its first lines say. */
  const install = (options = '', env: Record<string, string> = environment) =>
    promisify(execFile)('/bin/sh', ['-c', `curl -fsS '${url}/agent/install.sh' | sh -s -- ${options}`], {
      cwd: home,
      env,
    });
  const rest = async (path: string, body?: object) => {
    const reply = await fetch(`${url}/v2/organizations/acme${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await reply.json()) as Record<string, unknown>;
  };

  test('the agent, its checksum and its installer have their types and entity tags, and HEAD has no body', async () => {
    const [installer, agent, checksum] = await Promise.all(files.map((name) => request(url).get(`/agent/${name}`)));
    expect(installer?.headers['content-type']).toBe('text/x-shellscript; charset=utf-8');
    expect(agent?.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(checksum?.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(checksum?.text).toBe(`${createHash('sha256').update(agent!.text).digest('hex')}  slipway-agent.mjs\n`);
    expect(installer?.text).toContain(`curl -fsS ${url}/agent/install.sh | sh\n`);
    expect(installer?.text).not.toMatch(/@[A-Z_]+@/);
    for (const name of files) {
      const head = await request(url).head(`/agent/${name}`);
      expect([head.status, head.text]).toEqual([200, undefined]);
      const again = await request(url).get(`/agent/${name}`).set('If-None-Match', String(head.headers['etag']));
      expect([again.status, again.text]).toEqual([304, '']);
    }
    expect((await request(url).get('/agent/token')).status).toBe(404);
  });

  test('the installer puts the agent under the home directory, says what comes next, and changes nothing when run again', async () => {
    const { stdout } = await install();
    expect(stdout).toMatch(/^slipway-agent \d+\.\d+\.\d+ is installed in /);
    expect(stdout).toContain('/.slipway/bin/slipway-agent');
    const file = join(prefix, 'agent', 'slipway-agent.mjs');
    const installedAt = statSync(file).mtimeMs;
    expect((await install()).stdout).toContain('is installed already in');
    expect(statSync(file).mtimeMs).toBe(installedAt);
    writeFileSync(file, 'damaged');
    expect((await install()).stdout).toContain(' is installed in ');
    expect(execFileSync(command, ['--version'], { encoding: 'utf8', env: environment })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('the installed agent takes its token from a file and runs a job, whose buildkite-agent is the installed one', async () => {
    const commit = repository.commit({
      '.buildkite/pipeline.yml':
        'steps: [{ command: "buildkite-agent meta-data set release $(cat release) && buildkite-agent meta-data get release" }]',
      release: '1.2.3',
    });
    const steps = 'steps: [{ command: buildkite-agent pipeline upload }]';
    await rest('/pipelines', {
      ...{ name: 'App', slug: 'app', repository: repository.path },
      ...{ cluster_id: clusterId, configuration: steps },
    });
    await rest('/pipelines/app/builds', { commit, branch: 'main' });
    writeFileSync(join(prefix, 'agent', 'token'), `${agentToken}\n`, { mode: 0o600 });
    const agent = promisify(execFile)(
      command,
      ['start', '--queue', 'default', '--disconnect-after-idle-timeout', '1', '--name', 'other-machine'],
      { cwd: home, env: environment },
    );
    await vi.waitFor(
      async () => {
        expect(await rest('/pipelines/app/builds/1')).toMatchObject({
          state: 'passed',
          meta_data: { release: '1.2.3' },
        });
      },
      { timeout: 60_000, interval: 250 },
    );
    const { stdout } = await agent;
    expect(stdout).toContain('"level":"info"');
    // The one file locks files as the installation does.
    expect(stdout).not.toContain('files cannot be locked');
    expect(existsSync(join(prefix, 'builds', '.locks', 'other-machine'))).toBe(true);
    expect((await rest('/pipelines/app/builds/1'))['jobs']).toMatchObject([
      { agent: { name: 'other-machine' } },
      { exit_status: 0 },
    ]);
    expect(existsSync(join(prefix, 'builds', 'other-machine', 'acme', 'app', 'release'))).toBe(true);
  }, 120_000);

  test('the token of the command line and of the environment come before the file', async () => {
    writeFileSync(join(prefix, 'agent', 'token'), 'of the file');
    const attempt = (args: string[], env: Record<string, string>) =>
      promisify(execFile)(command, ['start', '--spawn', '0', ...args], { env: { ...environment, ...env } }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      );
    // With both sources the agent would refuse the token instead of the number of agents.
    for (const [args, env] of [
      [['--token', 'x'], {}],
      [['--token=x'], {}],
      [[], { BUILDKITE_AGENT_TOKEN: 'x' }],
      [[], {}],
    ] as [string[], Record<string, string>][])
      expect(await attempt(args, env)).toMatch(/^error: spawn: must be/);
  });

  test('the installer refuses an old Node.js, a missing git, an unwritable prefix and unknown options, and installs nothing', async () => {
    const tools = join(directory.path, 'tools');
    mkdirSync(tools);
    const tool = (name: string, script: string) => {
      writeFileSync(join(tools, name), script);
      chmodSync(join(tools, name), 0o755);
    };
    // Scripts and no links: a test that replaces one must not write into the machine's own.
    for (const name of ['sh', 'curl', 'sed', 'mktemp', 'mkdir', 'rm', 'mv', 'chmod', 'cat', 'cmp']) {
      const own = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
      tool(name, `#!/bin/sh\nexec ${own} "$@"\n`);
    }
    const elsewhere = join(directory.path, 'elsewhere');
    const refusal = (options = `--prefix '${elsewhere}'`) =>
      install(options, { HOME: home, PATH: tools }).then(
        ({ stdout }) => `installed: ${stdout}`,
        ({ stderr }: { stderr: string }) => stderr,
      );
    expect(await refusal()).toMatch(/^slipway-agent: Node\.js 20\.19 or newer is needed, and there is no node/);
    tool('node', '#!/bin/sh\necho v20.18.3\n');
    expect(await refusal()).toMatch(/^slipway-agent: Node\.js 20\.19 or newer is needed; .*\/node is v20\.18\.3\n$/);
    tool('node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    expect(await refusal()).toMatch(/^slipway-agent: git is needed/);
    tool('git', '#!/bin/sh\n');
    expect(await refusal('--everywhere')).toMatch(/^slipway-agent: unknown option --everywhere/);
    expect(await refusal("--prefix '/dev/null/x'")).toMatch(/^slipway-agent: \/dev\/null\/x cannot be written/);
    expect(existsSync(elsewhere)).toBe(false);
  });
});
