import express from 'express';
import { filesRouter } from '../../../src/artifact-transfer/router.js';
import { createApplication } from '../../../src/server/application.js';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { requestsTo } from '../../support/requests.js';
import { ArtifactWorld, type Holder } from '../../support/artifact-world.js';

const page = '<!doctype html><link rel="stylesheet" href="style.css"><script src="../app.js"></script>';
const files = {
  'coverage/index.html': page,
  'coverage/style.css': 'body { color: red }',
  'app.js': 'document.title = "report";',
  'data/deep folder/ü#?.json': '{}',
  '/tmp/rooted.html': 'rooted',
  'windows\\sub\\page.html': 'windows',
  LICENSE: 'free',
  'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'a/../../etc/passwd.html': 'climbed',
};

let on: ArtifactWorld;
let holder: Holder;
let ids: Record<string, string>;
let parent: string;
beforeAll(async () => {
  on = await ArtifactWorld.create();
  holder = await on.holding();
  const made = await on.upload(holder, files, { content_type: 'application/octet-stream' });
  ids = Object.fromEntries(Object.keys(files).map((path, index) => [path, made[index] ?? '']));
  parent = `/organizations/acme/pipelines/${holder.slug}/builds/${holder.build.number}/artifacts`;
});
afterAll(() => on.close());

/** The address that /v2 gives for an artifact. */
async function addressOf(path: string): Promise<string> {
  const { body } = await on.rest('get', `${parent}/${ids[path]}/report`).expect(302);
  return body.url as string;
}

const beside = (address: string, path: string) => new URL(path, address).href;
/** As `follow`, with the path as it is: no client resolves or encodes anything of it. */
const raw = (path: string) => requestsTo(on.app).get(path);

describe('reports', () => {
  test('an HTML artifact opens as a page, with the files of its job beside it', async () => {
    const address = await addressOf('coverage/index.html');
    const reply = await on.follow('get', address).expect(200);
    expect([reply.text, reply.headers['content-type'], reply.headers['content-disposition']]).toEqual([
      page,
      'text/html; charset=utf-8',
      undefined,
    ]);
    for (const [path, type, text] of [
      ['style.css', 'text/css; charset=utf-8', files['coverage/style.css']],
      ['../app.js', 'text/javascript; charset=utf-8', files['app.js']],
      ['../data/deep%20folder/%C3%BC%23%3F.json', 'application/json; charset=utf-8', '{}'],
      ['./', 'text/html; charset=utf-8', page],
    ]) {
      const file = await on.follow('get', beside(address, path ?? '')).expect(200);
      expect([path, file.headers['content-type'], file.text]).toEqual([path, type, text]);
    }
  });

  test('pages from the root of a machine and from Windows have addresses, one with `..` has none', async () => {
    expect((await on.follow('get', await addressOf('/tmp/rooted.html')).expect(200)).text).toBe('rooted');
    const windows = await addressOf('windows\\sub\\page.html');
    expect(windows).toMatch(/\/windows\/sub\/page\.html$/);
    expect((await on.follow('get', windows).expect(200)).text).toBe('windows');
    for (const path of ['a/../../etc/passwd.html', 'app.js', 'LICENSE'])
      await on.rest('get', `${parent}/${ids[path]}/report`).expect(404);
  });

  test('every file runs in a sandbox without an origin, and loads from its own report alone', async () => {
    const address = await addressOf('coverage/index.html');
    const folder = address.slice(0, -'coverage/index.html'.length);
    for (const path of ['index.html', '../app.js', '../drawing.svg', '../LICENSE']) {
      const { headers } = await on.follow('get', beside(address, path)).expect(200);
      const policy = String(headers['content-security-policy']);
      const directives: Record<string, string[]> = Object.fromEntries(
        policy.split('; ').map((line) => [line.split(' ', 1)[0] ?? '', line.split(' ').slice(1)]),
      );
      expect(directives['sandbox']).toContain('allow-scripts');
      expect(directives['sandbox']).not.toContain('allow-same-origin');
      expect(directives['sandbox']).not.toContain('allow-top-navigation');
      expect(directives['default-src']).toEqual([`'none'`]);
      for (const name of ['connect-src', 'script-src', 'form-action', 'frame-src']) {
        const sources = (directives[name] ?? []).filter((source) => !/^('unsafe-|blob:|data:)/.test(source));
        expect(sources).toContain(folder);
        for (const source of sources) expect(source.endsWith(new URL(folder).pathname)).toBe(true);
      }
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  test('the policy names the host that the browser has used, and no letters that end a directive', async () => {
    const { pathname } = new URL(await addressOf('coverage/index.html'));
    const policyFor = async (host: string) =>
      String((await raw(pathname).set('Host', host).expect(200)).headers['content-security-policy']);
    expect(await policyFor('localhost:3000')).toContain('connect-src http://slipway.test/files/reports/');
    expect(await policyFor('localhost:3000')).toContain(' http://localhost:3000/files/reports/');
    expect(await policyFor('evil;script-src *')).not.toContain('evil');
    expect(await policyFor('evil;x')).not.toContain('evil');
  });

  test('ranges, HEAD and entity tags work as for downloads; unknown types are saved', async () => {
    const address = await addressOf('coverage/index.html');
    const part = await on.follow('get', address).set('Range', 'bytes=0-8').expect(206);
    expect([part.text, part.headers['content-range']]).toEqual(['<!doctype', `bytes 0-8/${page.length}`]);
    const head = await on.follow('head', address).expect(200);
    expect([head.text, head.headers['content-length']]).toEqual([undefined, String(page.length)]);
    await on.follow('get', address).set('If-None-Match', String(head.headers['etag'])).expect(304);
    const licence = await on.follow('get', beside(address, '../LICENSE')).expect(200);
    expect(licence.headers['content-disposition']).toBe('attachment; filename=LICENSE');
  });

  test('an address is good for an hour', async () => {
    const address = await addressOf('coverage/index.html');
    on.world.clock.advance(59 * 60);
    await on.follow('get', address).expect(200);
    on.world.clock.advance(2 * 60);
    await on.follow('get', address).expect(410);
  });

  test('what is no token, or one of another job, leads nowhere', async () => {
    const address = await addressOf('coverage/index.html');
    const { pathname } = new URL(address);
    const [, , , token = ''] = pathname.split('/');
    const [job = '', expires = '', signature = ''] = token.split('.');
    const other = await on.holding();
    const flipped = signature.replace(/^./, (letter) => (letter === '0' ? '1' : '0'));
    const longer = String(Number(expires) + 3_600);
    for (const wrong of [
      `${other.job}.${expires}.${signature}`,
      `${job}.${longer}.${signature}`,
      `${job}.${expires}.${flipped}`,
      `${job}.${expires}`,
      `${job.toUpperCase()}.${expires}.${signature}`,
      `${'a'.repeat(5_000)}.${expires}.${signature}`,
      '%00',
      '..',
    ])
      await raw(`/files/reports/${wrong}/coverage/index.html`).expect(404);
  });

  test('paths lead to nothing but artifacts of the job', async () => {
    const address = await addressOf('coverage/index.html');
    const folder = new URL(address).pathname.replace(/coverage\/index\.html$/, '');
    for (const path of [
      '../../../v2/user',
      '..%2f..%2f..%2fetc%2fpasswd',
      '%2e%2e/%2e%2e/etc/passwd',
      '/evil.example.com/',
      '//evil.example.com/index.html',
      '%5c%5cevil.example.com',
      'coverage',
      'coverage/index.html%00.css',
      '%E0%A4%A',
      'x'.repeat(10_000),
      'nothing.html',
      '',
    ]) {
      const reply = await raw(`${folder}${path}`);
      expect([path.slice(0, 40), reply.status, reply.headers['location']]).toEqual([path.slice(0, 40), 404, undefined]);
    }
    // An encoded slash is a slash, of a path that is looked up and never opened.
    await raw(`${folder}coverage%2Findex.html`).expect(200);
    await requestsTo(on.app).post(`${folder}coverage/index.html`).expect(404);
  });

  test('the newest of several uploads is shown, and none once it is deleted', async () => {
    const [id = ''] = await on.upload(holder, { 'again.html': 'first' }, { content_type: 'text/html' });
    const [newer = ''] = await on.upload(holder, { 'again.html': 'second' }, { content_type: 'text/html' });
    ids['again.html'] = id;
    const address = await addressOf('again.html');
    expect((await on.follow('get', address).expect(200)).text).toBe('second');
    await on.rest('delete', `${parent}/${newer}`).expect(204);
    expect((await on.follow('get', address).expect(200)).text).toBe('first');
    await on.rest('delete', `${parent}/${id}`).expect(204);
    await runUntilIdle(on.world.services);
    await on.follow('get', address).expect(404);
    await on.rest('get', `${parent}/${id}/report`).expect(404);
  });

  test('no address is given to a person who may not see the artifact', async () => {
    const id = ids['coverage/index.html'];
    await on.rest('get', `${parent}/${id}/report`, on.world.outsider).expect(404);
    const { admin } = on.world;
    const narrow = await on.world.personWithToken(admin.id, admin.email, { scopes: ['read_builds'] });
    await on.rest('get', `${parent}/${id}/report`, narrow).expect(403);
  });

  test('with REPORTS_URL its host serves reports and nothing else', async () => {
    const surface = { path: '/files', router: filesRouter(on.world.services) };
    const console = express.Router().get('/demo', (_request, response) => void response.send('console'));
    const whole = createApplication(on.world.services, [surface, { path: '/', router: console }], { metrics: true });
    on.world.services.reportsUrl = 'https://reports.example.com';
    try {
      const { pathname } = new URL(await addressOf('coverage/index.html'));
      const download = (await on.rest('get', `${parent}/${ids['app.js']}/download`).expect(302)).body.url as string;
      const { pathname: file, search } = new URL(download);
      for (const [path, status] of [
        [pathname, 200],
        ['/demo', 404],
        ['/', 404],
        ['/healthz', 404],
        ['/metrics', 404],
        [`${file}${search}`, 404],
        ['//files/reports/', 404],
        ['/files/reports/../../demo', 404],
      ] as const) {
        const reply = await requestsTo(whole).get(path).set('Host', 'reports.example.com');
        expect([path, reply.status]).toEqual([path, status]);
      }
      await requestsTo(whole).get('/demo').set('Host', 'slipway.test').expect(200);
      await requestsTo(whole).get(`${file}${search}`).set('Host', 'slipway.test').expect(200);
    } finally {
      on.world.services.reportsUrl = undefined;
    }
  });

  test('with REPORTS_URL reports are at that host, and not at that of the console', async () => {
    on.world.services.reportsUrl = 'https://reports.example.com';
    try {
      const address = new URL(await addressOf('coverage/index.html'));
      expect(address.origin).toBe('https://reports.example.com');
      for (const host of ['slipway.test', 'reports.example.com:8443', 'reports.example.com.evil.com'])
        await raw(address.pathname).set('Host', host).expect(404);
      for (const host of ['reports.example.com', 'Reports.Example.com:443'])
        await raw(address.pathname).set('Host', host).expect(200);
    } finally {
      on.world.services.reportsUrl = undefined;
    }
  });
});
