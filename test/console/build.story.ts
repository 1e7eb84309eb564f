import { expect as see } from './expect.js';
import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { describeUnless } from '../support/skips.js';

const steps = `env:
  BUILDKITE_SKIP_CHECKOUT: "true"
steps:
  - label: Check it
    key: test
    command: |
      echo "--- Install"
      echo "+++ Results"
      echo "all is well"
  - block: Release
    key: release
    depends_on: test
    prompt: Goes to everybody.
    fields:
      - text: Notes
        key: notes
  - label: Deploy
    depends_on: release
    command: echo deployed
`;

const reason = whyNot();

describeUnless(reason, 'the console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
  });
  afterAll(() => world?.close());

  it('takes a person from a new pipeline to a finished build, by way of its log and its block', async () => {
    const page = await world.page();
    await page.goto('/organizations/demo/pipelines/new');
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Repository').fill('https://git.example.com/demo/shop.git');
    await see(page.getByText('These steps are valid.'));
    const editor = page.getByRole('textbox', { name: 'Steps' });
    const type = async (text: string) => {
      await editor.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
    };
    await type('steps:\n  - commando: x\n');
    await see(page.getByText(/^Line 2, column/));
    await type(steps);
    await see(page.getByText('These steps are valid.'));
    await page.getByRole('button', { name: 'Create pipeline' }).click();
    await see(page.getByText('Build at every push'));
    await page.getByRole('button', { name: 'Start the first build' }).click();
    await page.getByLabel('Message').fill('The first one');
    await page.getByRole('button', { name: 'Start build' }).click();

    await see(page.getByRole('heading', { name: 'The first one' }));
    await page.getByRole('link', { name: /Check it/ }).click();
    await see(page.getByRole('region', { name: 'Log of Check it' }).getByText('all is well'));
    await page.getByRole('link', { name: /Release/ }).click();
    await see(page.getByText('Goes to everybody.'));
    await page.getByLabel('Notes').fill('Better than before');
    await page.getByRole('button', { name: 'Unblock' }).click();
    await see(page.getByText('Unblocked by Demo User'));
    await see(page.getByRole('button', { name: 'Rebuild' }));
    await page.getByRole('link', { name: 'Meta-data' }).click();
    await see(page.getByText('Better than before'));
    await page.context().close();
  });

  it('is moved through by keyboard alone', async () => {
    const page = await world.page();
    await page.goto('/');
    await see(page.getByRole('heading', { name: 'Home' }));
    await see(page.getByRole('button', { name: 'Search and commands' }));
    await page.keyboard.press('?');
    await see(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('shop');
    await see(page.getByRole('option', { name: /Shop/ }));
    await page.keyboard.press('Enter');
    await see(page.getByRole('heading', { name: 'Shop' }));
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await see(page.getByRole('heading', { name: 'Agents' }));
    await see(page.getByText('bundled-agent'));
    await page.context().close();
  });

  it('leads to the builds beside it and to those of its branch, and counts what it has', async () => {
    const page = await world.page();
    const configuration =
      'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{label: Note, command: "buildkite-agent annotate One; buildkite-agent meta-data set a b"}]';
    await world.api('POST', '/pipelines', {
      name: 'Notes',
      repository: 'https://git.example.com/n.git',
      cluster_id: world.demo.cluster_id,
      configuration,
    });
    for (const message of ['First', 'Second', 'Third'])
      await world.api('POST', '/pipelines/notes/builds', { commit: 'HEAD', branch: 'topic', message });
    await page.goto('/demo/notes/builds/2');
    await see(page.getByText('Passed', { exact: true }).first());
    await page.getByRole('link', { name: 'Next build #3' }).click();
    await see(page.getByRole('heading', { name: 'Third' }));
    await page.getByRole('link', { name: 'Previous build #2' }).click();
    await see(page.getByRole('heading', { name: 'Second' }));
    await page.reload();
    await see(page.getByRole('link', { name: 'Annotations 1' }));
    await see(page.getByRole('link', { name: 'Meta-data 1' }));
    await page.getByRole('link', { name: 'topic' }).click();
    await see(page.getByRole('link', { name: /First/ }));
    await page.context().close();
  });

  it('folds the parallel jobs of a step, keeps those that failed in view, and finds jobs by what is typed', async () => {
    const { cluster_id } = world.demo;
    await world.api('POST', '/pipelines', {
      name: 'Wide',
      repository: 'https://git.example.com/wide.git',
      cluster_id,
      configuration: JSON.stringify({
        env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
        steps: [
          {
            label: 'E2E %N',
            key: 'e2e',
            parallelism: 12,
            command: 'test $$BUILDKITE_PARALLEL_JOB != 7',
            soft_fail: false,
          },
          { label: 'Lint', key: 'lint', command: 'true' },
        ],
      }),
    });
    await world.api('POST', '/pipelines/wide/builds', { commit: 'HEAD', branch: 'main', message: 'Twelve at once' });
    await world.untilFailed('/pipelines/wide/builds/1');
    const page = await world.page();
    await page.goto('/demo/wide/builds/1');
    const set = page.getByRole('button', { name: 'E2E 11 of 12 passed' });
    await see(set);
    const rows = page.locator('.job-row');
    // The step, its one failed job, and the job beside it.
    expect(await rows.count()).toBe(3);
    await set.click();
    expect(await rows.count()).toBe(14);
    await set.click();
    await page.getByLabel('Search the steps').fill('e2e 5');
    await see(page.getByText('One job', { exact: true }));
    await page.getByLabel('Search the steps').fill('');
    await page.getByRole('button', { name: 'Failed (1)' }).click();
    expect(await rows.count()).toBe(1);
    await rows.first().click();
    await see(page.getByRole('region', { name: 'E2E 8', exact: true }));
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Failed (1)' }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.context().close();
  });

  it('is found from anywhere, by number, branch and with a letter wrong, and its tab tells how it went', async () => {
    const page = await world.page();
    const find = async (words: string, result: RegExp | string) => {
      await see(page.getByRole('heading', { level: 1 }));
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).fill(words);
      await page.getByRole('option', { name: result }).first().click();
    };
    await page.goto('/demo');
    await find('wide#1', /Twelve at once/);
    await see(page.getByRole('heading', { level: 1, name: 'Twelve at once' }));
    expect(await page.title()).toMatch(/^✗ Wide/);
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).toContain('c1272d');
    await find('notifcation', /^Notif/);
    await see(page.getByRole('heading', { level: 1, name: 'Notification services' }));
    expect(await page.title()).toBe('Notification services · Slipway');
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).not.toContain('data:');
    await find('twelve AT', /Twelve at once/);
    await see(page.getByRole('heading', { level: 1, name: 'Twelve at once' }));
    await find('demo u', 'Demo User');
    await see(page.getByRole('heading', { level: 1, name: 'Demo User' }));
    await page.goto('/demo/wide');
    await find('#1', /Twelve at once/);
    await see(page.getByRole('heading', { level: 1, name: 'Twelve at once' }));
    await page.context().close();
  });

  it('stops a running job on request, and tells what a hidden page tells', async () => {
    const page = await world.page({ width: 360 });
    const configuration =
      'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{label: Long, command: "echo begun; sleep 600"}]';
    const { cluster_id } = world.demo;
    await world.api('POST', '/pipelines', {
      name: 'Slow',
      repository: 'https://git.example.com/s.git',
      cluster_id,
      configuration,
    });
    await world.api('POST', '/pipelines/slow/builds', { commit: 'HEAD', branch: 'main', message: 'Endless' });
    await page.goto('/demo/slow/builds/1');
    await page.getByRole('link', { name: /Long/ }).click();
    await see(page.getByRole('region', { name: 'Log of Long' }).getByText('begun', { exact: true }));
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await page.getByRole('button', { name: 'Cancel the build' }).click();
    await see(page.getByText('Canceled', { exact: true }).first());
    await page.goto('/demo/no-such-pipeline');
    await see(page.getByText('There is no such page'));
    await page.context().close();
  });

  it('broke no content security policy and threw nothing meanwhile', () => {
    expect(world.complaints).toEqual([]);
  });
});
