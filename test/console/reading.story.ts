import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { everyPage } from './pages.js';
import { describeUnless } from '../support/skips.js';

const label = 'בדיקה (1)';
/** Overrides the direction of all that follows it, as in attacks by source code that reads otherwise than it runs. */
const override = '\u202e';
const configuration = JSON.stringify({
  env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
  steps: [{ label, command: `echo "שלום 123"; echo "${override}txt.exe"; exit 1` }],
});

describeUnless(whyNot(), 'a page of the console as it is read', () => {
  let world: ConsoleWorld;
  const path = '/demo/directions/builds/1';
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    const { cluster_id } = world.demo;
    const repository = 'https://git.example.com/directions.git';
    await world.api('POST', '/pipelines', { name: 'Directions', repository, cluster_id, configuration });
    const build = { commit: 'HEAD', branch: 'main', message: `${override}gnp.exe` };
    await world.api('POST', '/pipelines/directions/builds', build);
    await world.untilFailed('/pipelines/directions/builds/1');
  });
  afterAll(() => world?.close());

  it('keeps its places whatever direction a name or a line of a log has', async () => {
    const page = await world.page();
    const job = await world.firstJob('/pipelines/directions/builds/1');
    await page.goto(`${path}#${job}`);
    const log = page.getByRole('region', { name: `Log of ${label}` });
    for (const text of ['שלום 123', 'txt.exe']) {
      const line = log.locator('.log-row').filter({ hasText: text }).last();
      await see(line);
      const [number, words] = [await box(line.locator('.log-number')), await box(line.locator('.log-text'))];
      expect(words.x).toBeGreaterThanOrEqual(number.x + number.width);
      // The line begins where every other line begins.
      expect(words.x - number.x - number.width).toBeLessThan(40);
    }
    const row = page.locator('.job-row').filter({ hasText: label });
    expect((await box(row.getByText(label))).x).toBeLessThan((await box(row.locator('time, .tabular').first())).x);
    // A first character that turns everything after it does so inside the text alone.
    const directions = await page.evaluate<string[]>(
      `[...document.querySelectorAll('h1, .log-text')].map((element) => getComputedStyle(element).unicodeBidi)`,
    );
    expect(new Set(directions)).toEqual(new Set(['plaintext']));
    await page.context().close();
  });

  it('is printed without what only a screen needs, with its states, on a few sheets', async () => {
    const page = await world.page();
    await page.goto(path);
    await see(page.getByRole('heading', { level: 1 }));
    await page.emulateMedia({ media: 'print' });
    await page.locator('.bar').waitFor({ state: 'hidden' });
    await see(page.getByRole('link', { name: new RegExp(label.slice(0, 5)) }).first());
    for (const button of await page.getByRole('button').all()) expect(await button.isVisible()).toBe(false);
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g) ?? [];
    expect(sheets.length).toBeGreaterThan(0);
    expect(sheets.length).toBeLessThan(4);
    await page.context().close();
  });

  it('fits a window of 1,280 pixels at 200 percent', async () => {
    const page = await world.page({ width: 640, height: 400 });
    const wide: string[] = [];
    for (const { path: each, heading } of await everyPage(world)) {
      await page.goto(each);
      await see(page.getByRole('heading', { level: 1, name: heading }));
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (over > 0) wide.push(`${each} is ${over} pixels too wide`);
    }
    await page.context().close();
    expect(wide).toEqual([]);
  });
});

async function box(of: { boundingBox(): Promise<{ x: number; width: number } | null> }) {
  const found = await of.boundingBox();
  if (!found) throw new Error('it is not seen');
  return found;
}
