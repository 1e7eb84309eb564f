import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ApiUser } from '../replicas/api-user.js';
import { ownDatabase } from '../replicas/evidence.js';
import { HttpCaller } from '../replicas/http-caller.js';
import { Replica, secretKey } from '../replicas/installation.js';
import { noWork, ProtocolAgent } from '../replicas/protocol-agent.js';
import { temporaryDirectory } from '../support/directory.js';
import { browserPath, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

const databaseUrl = process.env['TEST_DATABASE_URL'];
const reason = whyNot() ?? (databaseUrl ? null : 'two servers need one PostgreSQL: set TEST_DATABASE_URL');

const main = join(process.cwd(), 'dist', 'main.js');
const password = 'a long password';
const configuration = 'steps: [{label: Long, command: "true"}]';
const chunks = 24;

/** An address that stays, in front of whichever server is named at that moment, as that of a balancer. */
class FixedAddress {
  /** The server that new connections go to; while it is empty they end at once. */
  target = '';
  private readonly open = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<FixedAddress> {
    const server = createServer((client) => address.pass(client)).listen(0, '127.0.0.1');
    const address = new FixedAddress(server);
    await once(server, 'listening');
    return address;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private pass(client: Socket): void {
    this.open.add(client);
    client.on('close', () => this.open.delete(client)).on('error', () => client.destroy());
    if (this.target === '') return void client.destroy();
    const { hostname, port } = new URL(this.target);
    const upstream = connect(Number(port), hostname);
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  }

  close(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }
}

/** Lets the chunks of a log through as far as the story has come. */
class Gate {
  private allowed = 0;
  private waiting: (() => void)[] = [];

  readonly pass = async (sequence: number): Promise<void> => {
    while (sequence > this.allowed) await new Promise<void>((done) => this.waiting.push(done));
  };

  upTo(sequence: number): void {
    this.allowed = sequence;
    this.waiting.splice(0).forEach((done) => done());
  }
}

describeUnless(reason, 'a second replica that takes over', () => {
  const directory = temporaryDirectory();
  const replicas: Replica[] = [];
  let database: Awaited<ReturnType<typeof ownDatabase>>;
  let address: FixedAddress;
  let browser: Browser;

  beforeAll(async () => {
    database = await ownDatabase(databaseUrl ?? '', `slipway_console_${process.pid}_${Date.now()}`);
    address = await FixedAddress.open();
    const env = { DATABASE_URL: database.url, DATA_DIR: directory.path, BASE_URL: address.url };
    for (let count = 0; count < 2; count++) replicas.push(await Replica.start(directory.path, env, [], main));
    execFileSync(process.execPath, [main, 'user', 'password', '--email', 'ada@example.com'], {
      env: { ...process.env, ...env, SECRET_KEY: secretKey },
      input: `${password}\n`,
    });
    browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    address?.close();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database?.drop();
    directory.remove();
  });

  const linesOf = (page: Page) => page.locator('.log-row > span:last-child').allInnerTexts();

  it('goes on with the page where the first left off: signed in, live, every line of the log once', async () => {
    const [first, second] = replicas as [Replica, Replica];
    address.target = first.url;
    const user = new ApiUser(new HttpCaller(() => [second.url]));
    await user.pipeline('deploy', configuration);
    const { number } = await user.build('deploy', 'the-only-one');

    const page = await browser.newPage({ baseURL: address.url });
    await page.goto(`/acme/deploy/builds/${number}`);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'the-only-one' }));
    await page.evaluate('window.stillTheSamePage = true');

    const gate = new Gate();
    const stop = new AbortController();
    const agent = new ProtocolAgent(new HttpCaller(() => [second.url]), noWork(), {
      chunks,
      pauseMs: 0,
      gate: gate.pass,
    });
    const working = agent.run(stop.signal);
    const state = page.getByRole('region', { name: 'State' }).locator('.state-pill');
    await see(state.getByText('Running'));
    await page.getByRole('link', { name: /Long/ }).click();
    const log = page.getByRole('region', { name: 'Log of Long' });
    gate.upTo(8);
    await see(log.getByText(/^line 8 /));
    await see(page.getByText('Live', { exact: true }));

    // Nobody answers at the address for a while, and the job writes on.
    address.target = '';
    await first.kill();
    await see(page.getByText('Connection lost', { exact: false }));
    gate.upTo(16);
    address.target = second.url;
    await see(log.getByText(/^line 16 /));
    await see(page.getByText('Live', { exact: true }));
    gate.upTo(chunks);
    await see(state.getByText('Passed'));
    await see(log.getByText(new RegExp(`^line ${chunks} `)));
    const numbers = (await linesOf(page)).map((line) => Number(/^line (\d+) /.exec(line)?.[1]));
    expect(numbers).toEqual(Array.from({ length: chunks }, (_, index) => index + 1));
    expect(await page.evaluate('window.stillTheSamePage')).toBe(true);

    // What is done is done by the second server, in the session of the first.
    await page.getByRole('button', { name: 'Rebuild' }).click();
    await page.waitForURL(`**/acme/deploy/builds/${number + 1}`);
    stop.abort();
    await working;
  });
});
