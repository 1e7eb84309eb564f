import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/database.js';
import { GitRepository } from '../support/git-repository.js';
import { Program } from '../support/program.js';

interface Shell {
  cwd?: string;
  token?: string | null;
}

const output = (command: string, { cwd = '.', token }: Shell = {}) =>
  promisify(execFile)('/bin/sh', ['-c', command], {
    cwd,
    env: { ...process.env, ...(token && { SLIPWAY_TOKEN: token }) },
  }).then(({ stdout }) => stdout);
const shell = async (command: string, within: Shell = {}) =>
  JSON.parse(await output(command, within)) as Record<string, unknown>;

interface Printed {
  url: string;
  sign_in_url: string;
  token: string | null;
  commands: string[];
  repository_commands: string[];
}

/** Starts of whole processes with an empty database, on a machine that may be busy. */
const patience = 120_000;

describe('slipway dev for a new user', () => {
  const directory = temporaryDirectory();
  const env = { DATA_DIR: join(directory.path, 'data'), PORT: '0', LOG_LEVEL: 'warn' };
  let program: Program;
  afterEach(() => program.stop('SIGKILL'));
  afterAll(() => directory.remove());

  /** Starts slipway dev and reads its output. */
  async function dev(...options: string[]): Promise<Printed> {
    program = Program.start(['dev', '--json', ...options], env);
    return JSON.parse((await program.until(/^\{[^]*\n\}\n/))[0]) as Printed;
  }

  /** Runs the commands for a repository in one, until its build has passed. */
  async function buildRepository(
    { url, repository_commands: [create = '', build = ''] }: Printed,
    token: string | null,
  ) {
    const repository = new GitRepository();
    repository.commit({ '.buildkite/pipeline.yml': 'steps: [{ command: test -f .buildkite/pipeline.yml }]' });
    try {
      const within = { cwd: repository.path, token };
      const pipeline = await shell(create, within);
      expect(pipeline).toMatchObject({ repository: repository.path });
      expect(await shell(build, within)).toMatchObject({ number: 1, branch: 'main' });
      const headers = { authorization: `Bearer ${token}` };
      const read = async () => {
        const reply = await fetch(`${String(pipeline['url'])}/builds/1`, { headers });
        return (await reply.json()) as { state: string; jobs: unknown[] };
      };
      await vi.waitFor(async () => expect(await read()).toMatchObject({ state: 'passed' }), {
        timeout: 45_000,
        interval: 500,
      });
      expect((await read()).jobs).toHaveLength(2);
      expect(String(pipeline['url'])).toContain(url);
    } finally {
      repository.remove();
    }
  }

  test(
    'the commands that slipway dev prints create a pipeline and a build that runs, and its token is shown once and stored as a hash',
    async () => {
      const { token, commands, url } = await dev();
      expect(token).toMatch(/^bkua_[0-9a-f]{40}$/);
      const [createPipeline = '', createBuild = '', readBuild = '', readLog = ''] = commands;
      expect(
        [createPipeline, createBuild].every((command) => command.startsWith('curl ') && !command.includes('\n')),
      ).toBe(true);
      expect(await shell(createPipeline)).toMatchObject({
        slug: 'hello',
        url: `${url}/v2/organizations/demo/pipelines/hello`,
      });
      expect(await shell(createBuild)).toMatchObject({
        number: 1,
        branch: 'main',
        web_url: `${url}/demo/hello/builds/1`,
      });
      let state: unknown = '';
      for (let tries = 0; tries < 10 && state !== 'passed'; tries += 1) state = (await shell(readBuild))['state'];
      expect(state).toBe('passed');
      const log = await output(readLog);
      expect(log).toContain('\nHello from Slipway\n');
      expect(log).not.toContain('_bk;t=');
      expect(await program.stop()).toMatchObject({ code: 0 });

      const again = await dev();
      expect(again.token).toBeNull();
      expect(again.commands[0]).toContain('Bearer $SLIPWAY_TOKEN');
      const [second = '', readSecond = ''] = again.commands;
      expect(await shell(second, { token })).toMatchObject({ number: 2 });
      expect(await shell(readSecond, { token })).toMatchObject({ number: 2 });
      await buildRepository(again, token);
      const reply = await fetch(`${again.url}/v2/organizations/demo/pipelines/hello/builds/1`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(await reply.json()).toMatchObject({ number: 1 });
      await program.stop();

      const kept = readdirSync(env.DATA_DIR).filter(
        (name) => name !== 'database' && name !== 'objects' && name !== 'builds',
      );
      for (const name of kept) expect(readFileSync(join(env.DATA_DIR, name), 'utf8')).not.toContain('bkua_');
    },
    patience,
  );

  test(
    'slipway dev and slipway token create make another token on request',
    async () => {
      const { token, url, sign_in_url } = await dev('--new-token');
      expect(token).toMatch(/^bkua_/);
      // The sign-in address opens the console of the demo user once.
      const opened = await fetch(sign_in_url, { redirect: 'manual' });
      expect([opened.status, opened.headers.get('location')]).toEqual([303, '/']);
      const [cookie = ''] = opened.headers.get('set-cookie')?.split(';') ?? [];
      const page = await fetch(`${url}/organizations/demo`, { headers: { cookie }, redirect: 'manual' });
      expect(page.status).toBe(200);
      expect((await fetch(sign_in_url, { redirect: 'manual' })).status).toBe(410);
      const refused = await Program.run(
        [
          'token',
          'create',
          '--user',
          'demo@example.com',
          '--description',
          'x',
          '--scopes',
          'all',
          '--organizations',
          'demo',
        ],
        env,
      );
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is in use by process') });
      expect((await fetch(`${url}/v2/user`, { headers: { authorization: `Bearer ${token}` } })).status).not.toBe(401);
      await program.stop();

      const args = [
        '--user',
        'demo@example.com',
        '--description',
        'laptop',
        '--scopes',
        'read_builds,view_teams',
        '--organizations',
        'demo',
        '--expires-at',
        '2030-01-31',
      ];
      const created = await Program.run(['token', 'create', ...args, '--json'], env);
      expect(JSON.parse(created.stdout)).toEqual({
        token: expect.stringMatching(/^bkua_[0-9a-f]{40}$/),
        id: expect.any(String),
        user: 'demo@example.com',
        description: 'laptop',
        scopes: ['read_builds', 'read_teams', 'view_teams'],
        organizations: ['demo'],
        expires_at: '2030-01-31T00:00:00.000Z',
      });
    },
    patience,
  );

  test('slipway migrate runs no migration on an installation that slipway dev has made', async () => {
    const { code, stdout } = await Program.run(['migrate', '--json'], env);
    expect([code, JSON.parse(stdout)]).toEqual([0, { migrated: [] }]);
  });
});
