import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { GitRepository } from '../support/git-repository.js';
import { Program } from '../support/program.js';
import { describeUnless } from '../support/skips.js';
import { testPort } from '../support/test-port.js';

/** The program of Gitea or Forgejo, and the folder of its templates and texts unless they are in the program. */
const gitea = process.env['GITEA'] ?? '';
const giteaFiles = process.env['GITEA_FILES'] ?? '';
const absent = existsSync(gitea) ? null : 'GITEA names no program of Gitea or Forgejo';
const run = promisify(execFile);
const password = 'A-password-of-ada-1815';

async function until<T>(what: string, look: () => Promise<T | null | undefined>, patience = 60_000): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const seen = await look().catch(() => null);
    if (seen !== null && seen !== undefined) return seen;
    if (Date.now() > deadline) throw new Error(`${what} did not come about`);
    await sleep(200);
  }
}

/** A server of Gitea on this machine, with a person who has a token and a private repository. */
class Gitea {
  token = '';
  private server!: ChildProcess;

  private constructor(
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start(folder: string): Promise<Gitea> {
    const port = await testPort();
    const host = new Gitea(folder, `http://127.0.0.1:${port}`);
    host.configure(port);
    await host.command('migrate');
    const ada = ['--username', 'ada', '--password', password, '--email', 'ada@example.com', '--admin'];
    await host.command('admin', 'user', 'create', ...ada, '--must-change-password=false');
    const scopes = ['--scopes', 'write:repository,write:user', '--token-name', 'ci', '--raw'];
    const made = await host.command('admin', 'user', 'generate-access-token', '--username', 'ada', ...scopes);
    // A warning comes before it where the server runs as root.
    host.token = /[0-9a-f]{40}(?=\s*$)/.exec(made)?.[0] ?? '';
    host.server = spawn(gitea, ['web', '--config', host.settings], { env: host.environment, stdio: 'ignore' });
    await until('a Gitea that answers', () => host.ask('GET', '/user'));
    return host;
  }

  /** Asks its API as Ada; null unless it answers 2xx. */
  async ask<T = unknown>(method: string, path: string, body?: object): Promise<T | null> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${this.token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return response.ok ? ((await response.json()) as T) : null;
  }

  /** As git and its store of credentials take it. */
  get urlWithToken(): string {
    return this.url.replace('http://', `http://ada:${this.token}@`);
  }

  async stop(): Promise<void> {
    this.server.kill('SIGKILL');
    await new Promise((resolve) => this.server.once('close', resolve));
  }

  private get settings() {
    return join(this.folder, 'app.ini');
  }

  private get environment() {
    return { PATH: process.env['PATH'] ?? '', HOME: this.folder, USER: 'root', GITEA_WORK_DIR: this.folder };
  }

  private async command(...args: string[]): Promise<string> {
    const { stdout } = await run(gitea, ['--config', this.settings, ...args], { env: this.environment });
    return stdout;
  }

  private configure(port: number): void {
    const files = giteaFiles === '' ? '' : `STATIC_ROOT_PATH = ${giteaFiles}`;
    writeFileSync(
      this.settings,
      `I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${this.url}/
DISABLE_SSH = true
OFFLINE_MODE = true
${files}
[database]
DB_TYPE = sqlite3
[security]
INSTALL_LOCK = true
SECRET_KEY = of-the-test
INTERNAL_TOKEN = eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJuYmYiOjE1MTYyMzkwMjJ9.NSMX0RpNJkjJLQ1pAWGfPDGxfGVhFIoH4Jr4XfsXEtU
[webhook]
ALLOWED_HOST_LIST = loopback
[log]
LEVEL = Warn
`,
    );
  }
}

describeUnless(absent, 'a repository at Gitea itself', () => {
  const directory = temporaryDirectory();
  const home = join(directory.path, 'home');
  const repository = new GitRepository();
  let host: Gitea;
  let program: Program;
  let url: string;
  let token: string;

  beforeAll(async () => {
    mkdirSync(home);
    mkdirSync(join(directory.path, 'gitea'));
    host = await Gitea.start(join(directory.path, 'gitea'));
    const dataDir = join(directory.path, 'data');
    await migrateDataDirectory(dataDir);
    const env = {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      HOME: home,
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    program = Program.start(['dev', '--json'], env);
    ({ url, token } = JSON.parse((await program.until(/^\{[^]*\n\}\n/, 120_000))[0]) as { url: string; token: string });
  }, 180_000);
  afterAll(async () => {
    await program?.stop('SIGKILL');
    await host?.stop();
    repository.remove();
    directory.remove();
  });

  async function slipway<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}/v2/organizations/demo${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  test('a push is delivered, the private repository built, and the result is at the commit', async () => {
    await host.ask('POST', '/user/repos', { name: 'app', private: true, default_branch: 'main' });
    // As docs/your-repository.md says for a private repository by token.
    writeFileSync(join(home, '.git-credentials'), `${host.urlWithToken}\n`, { mode: 0o600 });
    writeFileSync(join(home, '.gitconfig'), '[credential]\n\thelper = store\n');

    const connection = await slipway<{ id: string }>('POST', '/provider-connections', {
      provider: 'gitea',
      api_url: host.url,
      token: host.token,
    });
    const check = await slipway<object>('POST', `/provider-connections/${connection.id}/check`);
    expect(check).toMatchObject({ works: true, account: 'ada' });
    await slipway('POST', '/pipelines', {
      name: 'Gitea',
      repository: `${host.url}/ada/app.git`,
      configuration: 'steps:\n  - command: cat file\n    key: look\n',
      provider_settings: { publish_commit_status_per_step: true },
    });
    await slipway('POST', '/pipelines/gitea/webhook');

    const commit = repository.commit({ file: 'a private file\n' });
    repository.git('push', '-q', `${host.urlWithToken}/ada/app.git`, 'main');

    interface Build {
      number: number;
      state: string;
      commit: string;
      source: string;
      message: string;
    }
    const build = await until('a build that passed', async () => {
      const [newest] = await slipway<Build[]>('GET', '/pipelines/gitea/builds');
      return newest?.state === 'passed' || newest?.state === 'failed' ? newest : null;
    });
    expect(build).toMatchObject({ state: 'passed', commit, source: 'webhook', message: 'Change\n' });

    interface Status {
      context: string;
      status: string;
      target_url: string;
      description: string;
    }
    const statuses = await until('its statuses', async () => {
      const all = await host.ask<Status[]>('GET', `/repos/ada/app/commits/${commit}/statuses`);
      return all && all.filter(({ status }) => status === 'success').length >= 2 ? all : null;
    });
    expect(new Set(statuses.filter(({ status }) => status === 'success').map(({ context }) => context))).toEqual(
      new Set(['buildkite/gitea', 'buildkite/gitea/look']),
    );
    const combined = await host.ask<{ state: string }>('GET', `/repos/ada/app/commits/${commit}/status`);
    expect(combined?.state).toBe('success');
  }, 120_000);

  test('a pull request builds once, and the removal of the webhook is seen at Gitea', async () => {
    repository.git('checkout', '-q', '-b', 'topic');
    const commit = repository.commit({ file: 'changed\n' }, 'Topic');
    repository.git('push', '-q', `${host.urlWithToken}/ada/app.git`, 'topic');
    await host.ask('POST', '/repos/ada/app/pulls', { head: 'topic', base: 'main', title: 'Topic' });
    const builds = await until('a build of the topic', async () => {
      const all = await slipway<{ commit: string; state: string }[]>('GET', '/pipelines/gitea/builds?branch=topic');
      return all.length > 0 && all.every(({ state }) => state === 'passed') ? all : null;
    });
    expect(builds.map((each) => each.commit)).toEqual([commit]);
    expect(await host.ask<unknown[]>('GET', '/repos/ada/app/hooks')).toHaveLength(1);
    await fetch(`${url}/v2/organizations/demo/pipelines/gitea/webhook`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await host.ask<unknown[]>('GET', '/repos/ada/app/hooks')).toHaveLength(0);
  }, 120_000);
});
