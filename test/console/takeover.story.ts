import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { ApiUser } from '../replicas/api-user.js';
import { ownDatabase } from '../replicas/evidence.js';
import { HttpCaller } from '../replicas/http-caller.js';
import { Replica, secretKey } from '../replicas/installation.js';
import { noWork, ProtocolAgent } from '../replicas/protocol-agent.js';
import { temporaryDirectory } from '../support/directory.js';
import { browserPath, whyNot } from './console-world.js';
import { expect as see } from './expect.js';

const databaseUrl = process.env['TEST_DATABASE_URL'];
const configuration = 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{label: Long, command: "true"}]';

/** Passes connections on to whichever server is named at that moment, as a balancer does. */
async function balancer(target: () => string): Promise<{ server: Server; url: string }> {
  const server = createServer((client) => {
    const { hostname, port } = new URL(target());
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

// Two servers share a PostgreSQL; without TEST_DATABASE_URL there is none.
describe.skipIf(whyNot() !== null || databaseUrl === undefined)('a second replica that takes over', () => {
  const directory = temporaryDirectory();
  let database: Awaited<ReturnType<typeof ownDatabase>>;
  let first: Replica;
  let second: Replica;
  let browser: Browser;
  beforeAll(async () => {
    database = await ownDatabase(databaseUrl ?? '', `slipway_console_${process.pid}_${Date.now()}`);
    const env = { DATABASE_URL: database.url, DATA_DIR: directory.path };
    first = await Replica.start(directory.path, env);
    second = await Replica.start(directory.path, env);
    execFileSync(process.execPath, ['dist/main.js', 'user', 'password', '--email', 'ada@example.com'], {
      env: { ...process.env, ...env, SECRET_KEY: secretKey, BASE_URL: '' },
      input: 'a long password\n',
    });
    browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await second?.stop();
    await database?.drop();
    directory.remove();
  });

  it('goes on with the page where the first left off: signed in, live, to the end of the build', async () => {
    let current = first.url;
    const { server, url } = await balancer(() => current);
    const user = new ApiUser(new HttpCaller(() => [second.url]));
    await user.pipeline('deploy', configuration);
    const build = await user.build('deploy', 'the-only-one');
    const stop = new AbortController();
    const agent = new ProtocolAgent(new HttpCaller(() => [second.url]), noWork(), { chunks: 60, pauseMs: 250 });
    const working = agent.run(stop.signal);

    const page = await browser.newPage({ baseURL: url });
    await page.goto(`/acme/deploy/builds/${build.number}`);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await see(page.locator('.state-pill').getByText('Running').first());
    await see(page.getByText('Live', { exact: true }));
    await page.evaluate('window.stillTheSamePage = true');
    await first.kill();
    current = second.url;
    await see(page.locator('.state-pill').getByText('Passed').first());
    await see(page.getByText('Live', { exact: true }));
    expect(await page.evaluate('window.stillTheSamePage')).toBe(true);
    stop.abort();
    await working;
    server.close();
  });
});
