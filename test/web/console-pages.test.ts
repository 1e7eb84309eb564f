import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { addresses } from '../../src/web/console/addresses.js';
import { isPageBelow } from '../../src/web/console/pages.js';
import { type Browser, ConsoleWorld } from '../support/browser.js';
import { temporaryDirectory } from '../support/database.js';
import { oneOfEverything } from '../support/one-of-everything.js';

const shell = '<!doctype html><title>Console</title><script type="module" src="/assets/index-abc123.js"></script>';

/** What the build of a console says about its pages, in part. */
const consolePages = [
  '/organizations/$organization/agents',
  '/organizations/$organization/analytics/suites',
  '/organizations/$organization/pipelines/new',
  '/organizations/$organization/widgets/$widget',
  '/$organization/$pipeline',
  '/$organization/$pipeline/builds',
  '/$organization/$pipeline/settings',
];

describe('the pages of the console', () => {
  const directory = temporaryDirectory();
  let on: ConsoleWorld;
  let member: Browser;
  let stranger: Browser;
  let pages: string[];

  beforeAll(async () => {
    const folder = join(directory.path, 'console');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), shell);
    writeFileSync(join(folder, 'pages.json'), JSON.stringify(consolePages));
    writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(folder, 'assets', 'index-abc123.js'), 'console.log(1)');
    writeFileSync(join(folder, 'assets', 'index-abc123.js.gz'), gzipSync('console.log(1)'));
    on = await ConsoleWorld.open({ folder, plan: 'enterprise', teamsEnabled: true });
    const { world } = on;
    const { admin, outsider } = world;
    await on.setPassword(admin.id, 'p');
    await on.setPassword(outsider.id, 'p');
    member = on.browser();
    await member.signIn(admin.email, 'p');
    stranger = on.browser();
    await stranger.signIn(outsider.email, 'p');
    const values = (await oneOfEverything(world, 'steps: [{ command: make }]'))('');
    const words: Record<string, string | undefined> = {
      ...values,
      organization: 'acme',
      pipeline: 'app',
      suite: 'rspec',
    };
    const of = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => words[name] ?? `no ${name}`);
    pages = [
      ...addresses.map(({ path }) => of(path)),
      '/organizations/acme/agents',
      '/organizations/acme/analytics/suites/',
      '/organizations/acme/pipelines/new',
      '/organizations/acme/widgets/any',
      '/acme/app/builds',
      '/acme/app/settings',
    ];
    expect(pages.filter((path) => path.includes('no '))).toEqual([]);
  }, 60_000);
  afterAll(async () => {
    await on.close();
    directory.remove();
  });

  test('every address answers the same page: 200 to who may see the thing, 404 to who may not', async () => {
    for (const path of pages) {
      const [seen, hidden] = await Promise.all([member.get(path), stranger.get(path)]);
      expect([path, seen.status, seen.text]).toEqual([path, 200, shell]);
      expect([path, hidden.status, hidden.text]).toEqual([path, 404, shell]);
    }
  });

  test.each([
    '/nowhere',
    '/acme/nothing',
    '/acme/app/builds/999',
    '/acme/app/builds/many',
    '/acme/app/nothing',
    '/acme/app/settings/nothing',
    '/organizations/acme/nothing',
    '/organizations/acme/agents/none/nothing',
    '/organizations/acme/settings',
    '/organizations/acme/widgets',
    '/organizations/acme/notification-services/none',
    '/organizations/nowhere/agents',
    '/organizations/acme/agents/01930000-0000-7000-8000-000000000001',
    '/organizations/acme/clusters/none/queues',
    '/organizations/acme/teams/none',
    '/organizations/acme/users/none',
    '/organizations/acme/pipeline-templates/none',
    '/organizations/acme/analytics/suites/none',
    '/organizations/acme/analytics/suites/rspec/runs/none',
    '/organizations/acme/analytics/suites/rspec/tests/none',
  ])('%s, which is not there, answers what a hidden thing does', async (path) => {
    const reply = await member.get(path);
    expect([reply.status, reply.text]).toEqual([404, shell]);
    expect((await stranger.get(path)).text).toBe(shell);
  });

  test('home and the pages of the account are there for everybody who is signed in, and for nobody else', async () => {
    for (const path of ['/', '/account', '/account/tokens', '/organizations']) {
      expect([path, (await stranger.get(path)).status]).toEqual([path, 200]);
      const sent = await on.browser().get(path);
      const back = path === '/' ? '/login' : `/login?return_to=${encodeURIComponent(path)}`;
      expect([sent.status, sent.headers['location']]).toEqual([302, back]);
    }
    for (const path of pages) expect((await on.browser().get(path)).status).toBe(302);
  });

  test('the page runs and loads nothing but files of this origin, and cannot be framed', async () => {
    const { headers } = await member.get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  test('assets are kept for good and sent compressed to who accepts it; nothing else of the folder is served', async () => {
    const path = '/assets/index-abc123.js';
    const anyone = on.browser();
    const plain = await anyone.get(path, { 'accept-encoding': 'identity' });
    expect([plain.text, plain.headers['content-encoding']]).toEqual(['console.log(1)', undefined]);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const packed = await anyone.get(path, { 'accept-encoding': 'br, gzip' });
    expect([packed.text, packed.headers['content-encoding']]).toEqual(['console.log(1)', 'gzip']);
    expect(packed.headers['content-type']).toContain('text/javascript');
    expect(packed.headers['vary']).toContain('Accept-Encoding');
    expect((await anyone.get(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    for (const absent of [
      `${path}.gz`,
      '/assets/none.js',
      '/assets/../index.html',
      '/assets/%2e%2e/index.html',
      '/assets',
    ]) {
      const reply = await anyone.get(absent);
      expect([absent, reply.status === 200, reply.headers['cache-control'] ?? 'none']).not.toContain('immutable');
      expect([absent, reply.text.includes('Console')]).toEqual([absent, false]);
    }
    expect((await anyone.get('/favicon.svg')).headers['content-type']).toContain('image/svg+xml');
    expect((await anyone.get('/robots.txt')).status).toBe(404);
  });

  test('addresses of other surfaces and unknown files are not pages', async () => {
    for (const path of ['/v2', '/agent/token', '/login/oidc', '/robots.txt', '/acme.txt/deploy'])
      expect([path, (await member.get(path)).body]).toEqual([path, { message: 'Not Found' }]);
  });

  test('a longer address comes before a shorter one with the same beginning', () => {
    const paths = addresses.map(({ path }) => path);
    const hidden = paths.filter((path, index) => paths.slice(0, index).some((before) => path.startsWith(`${before}/`)));
    expect(hidden).toEqual([]);
  });
});

test.each([
  ['/organizations/:organization', ['agents'], true],
  ['/organizations/:organization', ['Agents'], false],
  ['/organizations/:organization', ['pipelines', 'new'], true],
  ['/organizations/:organization', ['pipelines'], false],
  ['/organizations/:organization', ['widgets', 'any'], true],
  ['/organizations/:organization', ['settings'], false],
  ['/:organization/:pipeline', ['settings'], true],
  ['/:organization/:pipeline', ['settings', 'more'], false],
  ['/organizations/:organization/clusters/:cluster', ['queues'], false],
])('below %s, %j is a page: %s', (address, rest, isPage) => {
  expect(isPageBelow(consolePages, address, rest)).toBe(isPage);
});

test('an installation without a built console says so on a plain page, with the same statuses', async () => {
  const on = await ConsoleWorld.open();
  await on.setPassword(on.world.admin.id, 'p');
  const browser = on.browser();
  await browser.signIn(on.world.admin.email, 'p');
  const home = await browser.get('/');
  expect(home.text).toContain('<h1>Welcome to Slipway</h1>');
  expect(home.text).toContain('built without the console');
  expect(home.text).toContain(`${on.url}/v2/organizations<`);
  expect((await browser.get('/acme')).status).toBe(200);
  expect((await browser.get('/organizations/acme/agents')).status).toBe(200);
  expect((await browser.get('/nowhere')).status).toBe(404);
  await on.close();
});
