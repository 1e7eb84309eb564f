import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { type ConsolePage, everyPage, unseenPaths } from './pages.js';
import { describeUnless } from '../support/skips.js';

describeUnless(whyNot(), 'the pages of the console for everybody', () => {
  let world: ConsoleWorld;
  let pages: ConsolePage[];
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    pages = await everyPage(world);
  });
  afterAll(() => world?.close());

  it('are all looked at here', () => {
    expect(unseenPaths(pages)).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('have no serious finding of axe, %s at %i pixels', async (theme, width) => {
    const page = await world.page({ dark: theme === 'dark', width });
    const findings: string[] = [];
    for (const { path, heading } of pages) {
      await page.goto(path);
      await see(page.getByRole('heading', { level: 1, name: heading }));
      findings.push(...(await findingsOf(page)).map((finding) => `${path} ${finding}`));
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (wide > 0) findings.push(`${path} is ${wide} pixels wider than the screen`);
    }
    await page.context().close();
    expect(findings).toEqual([]);
  });

  it('need less than 200 kB of compressed script for the first of them', async () => {
    const page = await world.page();
    let bytes = 0;
    page.on('response', (response) => {
      if (/\.js$/.test(response.url())) bytes += Number(response.headers()['content-length'] ?? 0);
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    await see(page.getByRole('heading', { level: 1, name: 'Home' }));
    await page.context().close();
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(200_000);
  });

  it('cost less than 2,000 points of GraphQL each, however much they show', async () => {
    const page = await world.page();
    const dear: string[] = [];
    for (const { path, heading } of pages) {
      let points = 0;
      page.on('response', (response) => (points += Number(response.headers()['ratelimit-complexity-requested'] ?? 0)));
      await page.goto(path, { waitUntil: 'networkidle' });
      await see(page.getByRole('heading', { level: 1, name: heading }));
      page.removeAllListeners('response');
      if (process.env['CONSOLE_POINTS']) console.warn(`${points} points: ${path}`); // eslint-disable-line no-console
      if (points >= 2_000) dear.push(`${path}: ${points}`);
    }
    await page.context().close();
    expect(dear).toEqual([]);
  });

  it('broke no content security policy and threw nothing', () => {
    expect(world.complaints).toEqual([]);
  });
});
