import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { measuresOf, startMeasuring } from './page-measures.js';
import { describeUnless } from '../support/skips.js';

/** What readers notice as jumping: "good" by the definition of CLS is below. */
const mostShift = 0.1;
const mostScriptKb = 330;
const queue = 'nobody';
const plain = 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: ';

describeUnless(whyNot(), 'a build with very many jobs', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start({ LIMITS: 'jobsPerUpload=2000' });
    await world.api('POST', `/clusters/${world.demo.cluster_id}/queues`, { key: queue });
  });
  afterAll(() => world?.close());

  async function built(name: string, labels: readonly string[]): Promise<void> {
    const steps = labels.map(
      (label) => `{label: ${label}, command: make, parallelism: 500, agents: {queue: ${queue}}}`,
    );
    const { cluster_id } = world.demo;
    const repository = 'https://git.example.com/wide.git';
    await world.api('POST', '/pipelines', {
      ...{ name, repository, cluster_id, configuration: `${plain}[${steps.join(', ')}]` },
    });
    const path = `/pipelines/${name.toLowerCase()}/builds`;
    await world.api('POST', path, { commit: 'HEAD', branch: 'main', message: `${labels.length * 500} jobs` });
  }

  it.each([
    ['Wide', ['One']],
    ['Widest', ['One', 'Two', 'Three', 'Four']],
  ])('does not jump while it loads and is walked through, and is unfolded and searched: %s', async (name, labels) => {
    await built(name, labels);
    // A build that waits says why, which is there with its steps.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const page = await world.page();
    await startMeasuring(page);
    await page.goto(`/demo/${name.toLowerCase()}/builds/1`);
    const folded = page.getByRole('button', { name: 'One 0 of 500 passed' });
    await see(folded);
    await see(page.getByRole('heading', { name: `${labels.length * 500} jobs wait` }));
    await page.waitForLoadState('networkidle');
    const loaded = await measuresOf(page);
    await folded.click();
    const search = page.getByLabel('Search the steps');
    await search.pressSequentially('one', { delay: 30 });
    await see(page.getByRole('status').getByText('500 jobs'));
    await search.fill('');
    await search.blur();
    await page.waitForTimeout(500);
    // What unfolding moves is asked for; the browser says so only where the machine takes less than half a second.
    const unfolded = await measuresOf(page);
    for (let step = 0; step < 10; step += 1) {
      await page.keyboard.press('j');
      await page.waitForTimeout(100);
    }
    await page.waitForTimeout(500);
    const measures = await measuresOf(page);
    const shift = loaded.shift + measures.shift - unfolded.shift;
    process.stdout.write(`${JSON.stringify({ jobs: labels.length * 500, ...measures, shift })}\n`);
    await page.context().close();
    expect(shift).toBeLessThan(mostShift);
    expect(measures.scriptKb).toBeLessThan(mostScriptKb);
    expect(world.complaints).toEqual([]);
  });
});
