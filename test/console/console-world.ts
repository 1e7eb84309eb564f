import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { temporaryDirectory } from '../support/directory.js';

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const built = join(process.cwd(), 'dist', 'console');

/** Why the stories cannot run here; null when they can. */
export const whyNot = (): string | null => {
  if (!browserPath) return 'no browser: apt-get install chromium';
  return existsSync(join(built, 'index.html')) ? null : 'the console is not built: npm run build';
};

/** The policy under which the pages have to work. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws:; base-uri 'none'; form-action 'self'";
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * Pages that a route answers have no address of their own, and the browser would keep them from the server on this
 * machine.
 */
const browserFlags = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'];

interface Demo {
  url: string;
  token: string;
  organization: string;
  cluster_id: string;
}

/** The whole product on this machine with its bundled agent, and a browser that looks at its console. */
export class ConsoleWorld {
  readonly complaints: string[] = [];

  private constructor(
    readonly demo: Demo,
    private readonly program: ChildProcess,
    private readonly browser: Browser,
    private readonly cleanUp: () => void,
  ) {}

  static async start(): Promise<ConsoleWorld> {
    const directory = temporaryDirectory();
    const program = spawn(process.execPath, ['dist/main.js', 'dev', '--json'], {
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', BASE_URL: '', DATA_DIR: directory.path, LOG_LEVEL: 'warn' },
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

  /** A page of its own; `dark` and `width` as the person has them. */
  async page({ dark = false, width = 1280 }: { dark?: boolean; width?: number } = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.demo.url,
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 800 },
    });
    await this.signIn(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    return page;
  }

  /** Requests carry an API token in place of the session, and addresses of pages are answered with the built console. */
  private async signIn(context: BrowserContext): Promise<void> {
    const authorization = `Bearer ${this.demo.token}`;
    await context.route('**/*', async (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      const file = pathname.startsWith('/assets/') ? join(built, pathname) : null;
      if (file) {
        const contentType = types[extname(file)] ?? 'application/octet-stream';
        await route.fulfill({ body: readFileSync(file), contentType });
      } else if (request.resourceType() === 'document') {
        const body = readFileSync(join(built, 'index.html'), 'utf8');
        await route.fulfill({ body, contentType: 'text/html', headers: { 'Content-Security-Policy': policy } });
      } else {
        await route.continue({ headers: { ...request.headers(), authorization } });
      }
    });
    await context.routeWebSocket('**/graphql', (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        const parsed = JSON.parse(String(message)) as { type: string; payload?: object };
        server.send(
          parsed.type === 'connection_init'
            ? JSON.stringify({ ...parsed, payload: { token: this.demo.token } })
            : message,
        );
      });
    });
  }

  /** Calls /v2 as the demo user, below the organization. */
  async api<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.demo.url}/v2/organizations/${this.demo.organization}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.demo.token}`, 'Content-Type': 'application/json' },
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
