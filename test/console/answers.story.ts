import type { Locator, Page } from 'playwright-core';
import { describeUnless } from '../support/skips.js';
import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';

/** The steps of a person to an answer: counts clicks and fields, and prints the time. */
class Way {
  clicks = 0;
  private readonly start = performance.now();

  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.click();
  }

  async type(what: Locator, text: string): Promise<void> {
    this.clicks += 1;
    await what.fill(text);
  }

  /** Ends with the answer; prints what it took. */
  async answer(question: string, what: Locator): Promise<void> {
    await see(what);
    const seconds = ((performance.now() - this.start) / 1000).toFixed(1);
    process.stdout.write(`${question}: ${this.clicks} clicks and fields, ${seconds} s\n`);
  }
}

const configuration = (steps: object[]) => JSON.stringify({ env: { BUILDKITE_SKIP_CHECKOUT: 'true' }, steps });

describeUnless(whyNot(), 'four questions, from the home page to the answer', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    const { cluster_id } = world.demo;
    const pipeline = (name: string, steps: object[]) =>
      world.api('POST', '/pipelines', {
        name,
        repository: 'https://git.example.com/demo.git',
        cluster_id,
        configuration: configuration(steps),
      });
    const build = (slug: string, message: string) =>
      world.api('POST', `/pipelines/${slug}/builds`, { commit: 'HEAD', branch: 'main', message });
    await pipeline('Red', [
      { label: 'Unit tests', command: 'echo "src/cart.ts(3,7): error TS2322: not assignable"; exit 2' },
      ...Array.from({ length: 8 }, (_, index) => ({ label: `Check ${index}`, command: 'true' })),
    ]);
    await build('red', 'Count in dozens');
    await world.untilFailed('/pipelines/red/builds/1');
    await pipeline('Slow', [{ label: 'Integration', command: 'sleep 3' }]);
    await build('slow', 'Takes its time');
    await world.untilPassed('/pipelines/slow/builds/1');
    await pipeline('Waiting', [{ label: 'On a Mac', command: 'true', agents: { queue: 'default', os: 'macos' } }]);
    await build('waiting', 'Needs a Mac');
  }, 120_000);
  afterAll(() => world?.close());

  const fromHome = async (): Promise<Way> => {
    const page = await world.page();
    await page.goto('/demo');
    await see(page.getByRole('heading', { level: 1 }));
    return new Way(page);
  };
  /** Opens the newest build of a pipeline. */
  const openBuild = async (way: Way, pipeline: string, message: string) => {
    await way.click(way.page.getByRole('link', { name: pipeline, exact: true }).first());
    await way.click(way.page.getByRole('link', { name: new RegExp(message) }).first());
  };

  it('why is it red: two clicks to the line that says so', async () => {
    const way = await fromHome();
    await openBuild(way, 'Red', 'Count in dozens');
    await way.answer('why is it red', way.page.getByText('error TS2322: not assignable').first());
    expect(way.clicks).toBeLessThanOrEqual(2);
    await way.page.context().close();
  });

  it('what is slow: the pipelines by how long they take, and the steps', async () => {
    const way = await fromHome();
    await way.click(way.page.getByRole('button', { name: 'Show more' }));
    await way.click(way.page.getByRole('menuitem', { name: 'Insights' }));
    const table = way.page.getByRole('region', { name: 'Insights' });
    await see(table.getByRole('row', { name: /^slow/ }));
    await way.page.getByRole('combobox', { name: 'By' }).selectOption('Step');
    way.clicks += 1;
    await way.answer('what is slow', table.getByRole('row', { name: /^slow\// }));
    expect(way.clicks).toBeLessThanOrEqual(3);
    await way.page.context().close();
  });

  it('why does it wait: two clicks to what no agent has', async () => {
    const way = await fromHome();
    await openBuild(way, 'Waiting', 'Needs a Mac');
    await way.answer('why does it wait', way.page.getByText(/os=macos/).first());
    expect(way.clicks).toBeLessThanOrEqual(2);
    await way.page.context().close();
  });

  it('are there enough agents: on the page of a queue', async () => {
    const page = await world.page();
    await page.goto(`/organizations/demo/clusters/${world.demo.cluster_id}`);
    await page.getByRole('link', { name: 'default', exact: true }).click();
    await see(page.getByText(/^With \d+ agents?, 95 of 100 jobs of the last seven days would have waited 1m at most/));
    await page.getByRole('combobox', { name: 'Wait at most' }).selectOption('5m');
    await see(page.getByText(/would have waited 5m at most/));
    await page.context().close();
  });

  it('from sign-in to the first own build that has passed', async () => {
    const page = await world.page();
    // Where the sign-in leads.
    await page.goto('/');
    await see(page.getByRole('heading', { level: 1 }));
    const way = new Way(page);
    await way.click(page.getByRole('link', { name: 'Pipelines', exact: true }).first());
    await way.click(page.getByRole('link', { name: 'New pipeline' }).first());
    await way.type(page.getByLabel('Name'), 'Mine');
    await way.type(page.getByLabel('Repository'), 'https://git.example.com/mine.git');
    await see(page.getByText('These steps are valid.'));
    const editor = page.getByRole('textbox', { name: 'Steps' });
    // Chromium itself styles what is written over lines that are selected.
    await editor.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(
      'env:\n  BUILDKITE_SKIP_CHECKOUT: "true"\nsteps:\n  - command: echo it works\n    label: Mine\n',
    );
    way.clicks += 1;
    await see(page.getByText('These steps are valid.'));
    await way.click(page.getByRole('button', { name: 'Create pipeline' }));
    await way.click(page.getByRole('button', { name: 'Start the first build' }));
    await way.click(page.getByRole('button', { name: 'Start build' }));
    await way.answer('first own build', page.getByText('Passed').first());
    expect(way.clicks).toBeLessThanOrEqual(8);
    await page.context().close();
  });

  it('broke no content security policy and threw nothing meanwhile', () => {
    expect(world.complaints).toEqual([]);
  });
});
