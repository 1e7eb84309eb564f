import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Cookie, type Page } from 'playwright-core';
import { temporaryDirectory } from '../support/directory.js';

export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const built = join(process.cwd(), 'dist', 'console');

/** Why the stories cannot run here; null when they can. */
export const whyNot = (): string | null => {
  if (!browserPath) return 'no browser: apt-get install chromium';
  return existsSync(join(built, 'index.html')) ? null : 'the console is not built: npm run build';
};

const browserFlags = ['--no-sandbox'];

interface BuildReply {
  state: string;
  blocked: boolean;
  jobs: { state: string }[];
}

interface Demo {
  url: string;
  token: string;
  /** Opens the console signed in, once. */
  sign_in_url: string;
  organization: string;
  cluster_id: string;
}

interface SuiteOfWorld {
  slug: string;
  /** Id of its run. */
  run: string;
  /** Id and name of its last test. */
  test: string;
  testName: string;
  /** Calls /v2 as the demo user, below the suite. */
  api: <T>(method: string, path: string, body?: object) => Promise<T>;
  /** Sends results of a run of `main`, always of one commit: the id of the run. */
  upload: (key: string, results: object[]) => Promise<string>;
}

/** The whole product on this machine with its bundled agent, and a browser that looks at its console. */
export class ConsoleWorld {
  readonly complaints: string[] = [];
  private cookies: Cookie[] | null = null;

  private constructor(
    readonly demo: Demo,
    private readonly program: ChildProcess,
    private readonly browser: Browser,
    private readonly cleanUp: () => void,
  ) {}

  /** @param variables of the program, beside its own */
  static async start(variables: Record<string, string> = {}): Promise<ConsoleWorld> {
    const directory = temporaryDirectory();
    const program = spawn(process.execPath, ['dist/main.js', 'dev', '--json'], {
      env: {
        ...process.env,
        PORT: '0',
        HOST: '127.0.0.1',
        BASE_URL: '',
        DATA_DIR: directory.path,
        LOG_LEVEL: 'warn',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const demo = await readJson<Demo>(program);
    const browser = await chromium.launch({ executablePath: browserPath ?? '', args: browserFlags });
    return new ConsoleWorld(demo, program, browser, () => directory.remove());
  }

  async close(): Promise<void> {
    await this.browser.close();
    const ended = new Promise((done) => this.program.once('exit', done));
    this.program.kill('SIGTERM');
    await ended;
    this.cleanUp();
  }

  /** A page of its own; `dark` and `width` as the person has them, `signedIn` false for a stranger. */
  async page({
    dark = false,
    width = 1280,
    height = 800,
    signedIn = true,
  }: { dark?: boolean; width?: number; height?: number; signedIn?: boolean } = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.demo.url,
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height },
    });
    if (signedIn) await this.signIn(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // A page about nothing is answered with the console and 404, which browsers note as an error.
      const isOwnPage = /status of 404/.test(message.text()) && message.location().url === page.url();
      if (message.type() === 'error' && !isOwnPage) this.complaints.push(message.text());
    });
    return page;
  }

  /** The first page uses up the address that the program printed; the others have its cookie. */
  private async signIn(context: BrowserContext): Promise<void> {
    if (this.cookies) {
      await context.addCookies(this.cookies);
      return;
    }
    const page = await context.newPage();
    await page.goto(this.demo.sign_in_url);
    await page.close();
    this.cookies = await context.cookies();
  }

  /** Calls /v2 as the demo user, below the organization. */
  api<T>(method: string, path: string, body?: object): Promise<T> {
    const { organization, token } = this.demo;
    return this.call(method, `/v2/organizations/${organization}${path}`, body, `Bearer ${token}`);
  }

  /** Waits until a build is blocked; bounded. */
  untilBlocked = (build: string) => this.until(build, ({ blocked }) => blocked);

  /** Waits until a build has passed; bounded. */
  untilPassed = (build: string) => this.until(build, ({ state }) => state === 'passed');

  /** Waits until a build has failed; bounded. */
  untilFailed = (build: string) => this.until(build, ({ state }) => state === 'failed');

  private async until(build: string, fits: (build: BuildReply) => boolean): Promise<void> {
    let last = '';
    for (let tries = 0; tries < 240; tries++) {
      const reply = await this.api<BuildReply>('GET', build);
      if (fits(reply)) return;
      last = `${reply.state}, jobs ${reply.jobs.map((job) => job.state).join(' ')}`;
      await new Promise((done) => setTimeout(done, 250));
    }
    throw new Error(`${build} has not come so far: ${last}`);
  }

  /** UUID of the first job of a build. */
  async firstJob(build: string): Promise<string> {
    const { jobs } = await this.api<{ jobs: { id: string }[] }>('GET', build);
    return jobs[0]?.id ?? '';
  }

  /** A test suite with one run of the collected results. */
  async suite(name: string, data: string): Promise<SuiteOfWorld> {
    const { organization, token } = this.demo;
    const suites = `/v2/analytics/organizations/${organization}/suites`;
    const api = <T>(method: string, path: string, body?: object) =>
      this.call<T>(method, `${suites}${path}`, body, `Bearer ${token}`);
    const { slug, api_token } = await api<{ slug: string; api_token: string }>('POST', '', {
      name,
      default_branch: 'main',
      show_api_token: true,
    });
    const upload = async (key: string, results: object[]) => {
      const run_env = { key, branch: 'main', commit_sha: 'a'.repeat(40), message: 'A cart that counts' };
      const body = { format: 'json', run_env, data: results };
      return (await this.call<{ run_id: string }>('POST', '/v1/uploads', body, `Token token="${api_token}"`)).run_id;
    };
    const run = await upload('first', JSON.parse(data) as object[]);
    const [test] = await api<{ id: string; name: string }[]>('GET', `/${slug}/tests`);
    return {
      slug,
      run,
      test: test?.id ?? '',
      testName: test?.name ?? '',
      api: (method, path, body) => api(method, `/${slug}${path}`, body),
      upload,
    };
  }

  private async call<T>(method: string, path: string, body: object | undefined, authorization: string): Promise<T> {
    const response = await fetch(`${this.demo.url}${path}`, {
      method,
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

async function readJson<T>(program: ChildProcess): Promise<T> {
  let text = '';
  for await (const chunk of program.stdout ?? []) {
    text += String(chunk);
    try {
      return JSON.parse(text) as T;
    } catch {
      // The rest of it comes.
    }
  }
  throw new Error('slipway dev ended without a word');
}

/** Serious and critical findings of axe on a page, as lines to read. */
export async function findingsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
