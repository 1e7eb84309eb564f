import type { Page } from 'playwright-core';
import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Files of a job: texts of some length and direction, an image, a page and bytes; its log links to them. */
const configuration = `env: {BUILDKITE_SKIP_CHECKOUT: "true"}
steps:
  - label: Write
    command: |
      mkdir -p out/deep
      { seq -f 'line number %g' 400; printf '<b>bold</b> & שלום עולם\\n'; } > out/deep/notes.txt
      seq -f 'a rather long line of a large file, which is number %g' 30000 > out/large.txt
      head -c 3000 /dev/zero | tr '\\0' x > out/wide.txt
      : > out/empty.txt
      echo '<!doctype html><html lang="en"><title>Page</title><h1>Covered</h1>' > out/index.html
      echo '${pixel}' | base64 -d > out/pixel.png
      head -c 500 /dev/urandom > out/program.bin
      buildkite-agent artifact upload "out/**/*"
      printf '\\033]1339;url=artifact://out/deep/notes.txt;content=the notes\\007\\n'
      printf '\\033]8;;artifact://out/program.bin\\007the program\\033]8;;\\007\\n'
      printf '\\033]1339;url=artifact://out/none.txt;content=nothing\\007\\n'
      printf 'See [the notes](artifact://out/deep/notes.txt)' | buildkite-agent annotate --context files
`;
const build = '/demo/written/builds/1';

describeUnless(whyNot(), 'files of a build in the console', () => {
  let world: ConsoleWorld;
  const preview = (page: Page, path: string) => page.getByRole('region', { name: `Preview of ${path}` });
  const hashOf = (page: Page) => new URL(page.url()).hash;
  const marked = (page: Page) => page.locator('.text-line.is-selected .text-number').allTextContents();
  const openFile = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    await world.api('POST', '/pipelines', {
      name: 'Written',
      repository: 'https://git.example.com/s.git',
      cluster_id: world.demo.cluster_id,
      configuration,
    });
    await world.api('POST', '/pipelines/written/builds', { commit: 'HEAD', branch: 'main', message: 'Files' });
    await world.untilPassed('/pipelines/written/builds/1');
  });
  afterAll(() => world?.close());

  it('shows a text by its lines, whose addresses open it there, at one line or at some', async () => {
    const page = await world.page();
    await page.goto(`${build}?tab=artifacts`);
    await openFile(page, 'notes.txt');
    const notes = preview(page, 'out/deep/notes.txt');
    await see(notes.getByText('line number 1', { exact: true }));
    await notes.getByRole('link', { name: 'Line 2', exact: true }).click();
    await expect.poll(() => hashOf(page)).toMatch(/^#artifact-[0-9a-f-]{36}\/L2$/);
    await notes.getByRole('link', { name: 'Line 4', exact: true }).click({ modifiers: ['Shift'] });
    await expect.poll(() => hashOf(page)).toMatch(/\/L2-L4$/);
    expect(await marked(page)).toEqual(['2', '3', '4']);
    const file = hashOf(page).split('/')[0] ?? '';

    const other = await world.page();
    await other.goto(`${build}${file}/L401`);
    const text = preview(other, 'out/deep/notes.txt').getByText('<b>bold</b> & שלום עולם');
    await see(text);
    await expect.poll(() => marked(other)).toEqual(['401']);
    await expect.poll(async () => ((await text.boundingBox())?.y ?? 800) + 24 <= 800).toBe(true);
    const direction = "getComputedStyle(document.querySelector('.text-of-line')).unicodeBidi";
    expect(await other.evaluate(direction)).toBe('plaintext');
    // What the bar of the page covers cannot be hit, wherever it is.
    await other.evaluate('scrollTo(0, 0)');
    expect(await findingsOf(other)).toEqual([]);
    await other.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => hashOf(other)).toBe('');
    await page.context().close();
    await other.context().close();
  });

  it('reads the first MiB of a text, says so, and wraps lines that are longer than the window', async () => {
    const page = await world.page();
    await page.goto(`${build}?tab=artifacts`);
    const asked = page.waitForResponse((response) => response.url().includes('/files/artifacts/'));
    await openFile(page, 'large.txt');
    const large = preview(page, 'out/large.txt');
    await see(large.getByText(/^The first MiB of \d\.\d MB/));
    const reply = await asked;
    expect([reply.status(), reply.headers()['content-length']]).toEqual([206, '1048576']);
    await see(large.getByRole('link', { name: 'Download' }));

    await openFile(page, 'wide.txt');
    const wide = page.getByRole('region', { name: 'Lines of out/wide.txt' });
    await see(wide.getByText(/^x+$/));
    await expect.poll(() => wide.evaluate((frame) => frame.scrollWidth <= frame.clientWidth)).toBe(true);
    await openFile(page, 'empty.txt');
    await see(preview(page, 'out/empty.txt').getByText('This file is empty.'));
    await openFile(page, 'program.bin');
    await see(preview(page, 'out/program.bin').getByText(/^Only text and images/));
    await page.context().close();
  });

  it('shows a page as its text, with the report one click away', async () => {
    const page = await world.page();
    await page.goto(`${build}?tab=artifacts`);
    await openFile(page, 'index.html');
    const shown = preview(page, 'out/index.html');
    await see(shown.getByText('<h1>Covered</h1>'));
    expect(await page.getByRole('heading', { name: 'Covered' }).count()).toBe(0);
    const coming = page.context().waitForEvent('page');
    await shown.getByRole('link', { name: 'Open report' }).click();
    await see((await coming).getByRole('heading', { name: 'Covered' }));
    await page.context().close();
  });

  it('follows links to artifacts in logs and annotations: to the text, to a download, or says there is none', async () => {
    const page = await world.page();
    await page.goto(build);
    await page.getByRole('link', { name: /Write/ }).click();
    const log = page.getByRole('region', { name: 'Log of Write' });
    const downloading = page.waitForEvent('download');
    await log.getByRole('button', { name: 'the program' }).click();
    expect((await downloading).suggestedFilename()).toBe('program.bin');
    await log.getByRole('button', { name: 'nothing' }).click();
    await see(page.getByText('No job of this build has uploaded out/none.txt'));
    await log.getByRole('button', { name: 'the notes' }).click();
    await see(preview(page, 'out/deep/notes.txt').getByText('line number 1', { exact: true }));
    await page.goBack();
    await see(log.getByRole('button', { name: 'the notes' }));
    await page.goto(`${build}?tab=annotations`);
    await page.getByRole('link', { name: 'the notes' }).click();
    await see(preview(page, 'out/deep/notes.txt').getByText('line number 1', { exact: true }));
    await page.context().close();
  });

  it('shows a file in the panel of its job, whose lines have the address of the build', async () => {
    const page = await world.page();
    await page.goto(build);
    await page.getByRole('link', { name: /Write/ }).click();
    await page.getByRole('button', { name: 'Artifacts', exact: true }).click();
    await openFile(page, 'notes.txt');
    const line = preview(page, 'out/deep/notes.txt').getByRole('link', { name: 'Line 3', exact: true });
    expect(await line.getAttribute('href')).toMatch(/^\?tab=artifacts#artifact-[0-9a-f-]{36}\/L3$/);
    await line.click();
    await expect.poll(() => page.url()).toMatch(/\?tab=artifacts#artifact-[0-9a-f-]{36}\/L3$/);
    await expect.poll(() => marked(page)).toEqual(['3']);
    await page.context().close();
  });

  it('broke no content security policy and threw nothing meanwhile', () => {
    expect(world.complaints).toEqual([]);
  });
});
