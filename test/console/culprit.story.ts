import { describeUnless } from '../support/skips.js';
import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { expect as see } from './expect.js';

const sha = (digit: string) => digit.repeat(40);
// `$$` is a `$` that the pipeline leaves to the shell. Commits that begin with c or more fail.
const configuration = JSON.stringify({
  env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
  steps: [{ label: 'Unit tests', key: 'test', command: 'case "$$BUILDKITE_COMMIT" in [c-f]*) exit 1;; esac' }],
});

describeUnless(whyNot(), 'the culprit of a red build in the console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    await world.api('POST', '/pipelines', {
      name: 'Cart',
      repository: 'git@github.com:acme/cart.git',
      cluster_id: world.demo.cluster_id,
      configuration,
    });
    const build = (digit: string) =>
      world.api<{ number: number }>('POST', '/pipelines/cart/builds', { commit: sha(digit), branch: 'main' });
    await build('0');
    await world.untilPassed('/pipelines/cart/builds/1');
    for (const digit of ['a', 'b', 'c', 'd']) {
      const { number } = await build(digit);
      await world.api('PUT', `/pipelines/cart/builds/${number}/cancel`).catch(() => undefined);
    }
    await build('e');
    await world.untilFailed('/pipelines/cart/builds/6');
  }, 180_000);
  afterAll(() => world?.close());

  it('is found by a button, and named with the commits that were tested', async () => {
    const page = await world.page();
    await page.goto('/demo/cart/builds/6');
    await page.getByRole('button', { name: 'Find the culprit' }).click();
    const culprit = page.getByRole('region', { name: 'Culprit' });
    const answer = culprit.getByText('turned main red: Unit tests');
    await answer.waitFor({ timeout: 90_000 });
    expect(await answer.textContent()).toContain('cccccccccc');
    await see(culprit.getByRole('list', { name: 'Tested commits' }).getByText('failed').first());
    await see(culprit.getByRole('button', { name: 'Search again' }));
    expect(await findingsOf(page)).toEqual([]);
    await page.context().close();
  }, 150_000);
});
