import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { durationText } from '../../src/console/ui/time-text.js';
import { describeUnless } from '../support/skips.js';
import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { expect as see } from './expect.js';

// `$$` is a `$` that the pipeline leaves to the shell.
const tests = `echo "--- Install"
for i in $$(seq 300); do echo "fetching $$i"; done
echo "--- Test"
if [ "$$BUILDKITE_BUILD_NUMBER" != 1 ]; then
  echo "src/cart.ts(3,7): error TS2322: Type string is not assignable to type number."
  buildkite-agent annotate --style error --context tests "**Two tests** of the cart failed"
  for i in $$(seq 200); do echo "still working on $$i"; done
  exit 2
fi`;
const configuration = (label: string) =>
  JSON.stringify({
    env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
    notify: [{ email: 'dev@example.com' }, { slack: '#builds', if: 'build.state == "passed"' }],
    steps: [
      { label, key: 'test', command: tests },
      {
        label: 'Lint',
        key: 'lint',
        command: 'test "$$BUILDKITE_BUILD_NUMBER" = 1 || { echo "Error: no such rule"; exit 1; }',
      },
    ],
  });

/** Figures of a day as /v2 gives them. */
interface Figures {
  key: string;
  builds: number;
  failed: number;
  duration_p50?: number;
  duration_p95?: number;
  wait_p50?: number;
  wait_p95?: number;
}
/** Those of the time of agents. */
interface Busy {
  key: string;
  agents_busy_share: number | null;
}
const columns =
  'builds,failed,duration_p50,duration_p90,duration_p95,wait_p50,wait_p90,wait_p95,retried,agent_seconds,cost,' +
  'log_bytes,artifact_bytes,agents_connected_seconds,agents_busy_share';

describeUnless(whyNot(), 'a red build in the console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    const { cluster_id } = world.demo;
    await world.api('POST', '/pipelines', {
      name: 'Cart',
      repository: 'git@github.com:acme/cart.git',
      cluster_id,
      configuration: configuration('Unit tests'),
    });
    const build = (message: string, digit: string) =>
      world.api('POST', '/pipelines/cart/builds', { commit: digit.repeat(40), branch: 'main', message });
    await build('A cart that counts', 'a');
    await world.untilPassed('/pipelines/cart/builds/1');
    await build('Count in dozens', 'b');
    await world.untilFailed('/pipelines/cart/builds/2');
    await build('Try once more', 'c');
    await world.untilFailed('/pipelines/cart/builds/3');
  }, 120_000);
  afterAll(() => world?.close());

  it('says why it is red without a click: its failed jobs, their lines that matter, and since when', async () => {
    const page = await world.page();
    await page.goto('/demo/cart/builds/3');
    const head = page.getByRole('region', { name: 'What failed: 2 jobs' });
    await see(head.getByText('error TS2322: Type string is not assignable'));
    await see(head.getByText('Error: no such rule'));
    await see(head.getByRole('listitem', { name: 'Annotation tests' }).getByText('Two tests of the cart failed'));
    await see(head.getByText('The command ended with exit status 2.'));
    await see(head.getByText(/It fails since #2/).first());
    await see(head.getByText(/Last passed in #1/).first());
    const compared = `https://github.com/acme/cart/compare/${'a'.repeat(40)}...${'c'.repeat(40)}`;
    expect(await head.getByRole('link', { name: 'Compare the commits' }).first().getAttribute('href')).toBe(compared);
    expect(await page.getByRole('link', { name: 'cccccccccc' }).getAttribute('href')).toBe(
      `https://github.com/acme/cart/commit/${'c'.repeat(40)}`,
    );
    expect(await findingsOf(page)).toEqual([]);
    await head.getByRole('link', { name: '#2' }).first().click();
    await see(page.getByRole('heading', { name: 'Count in dozens' }));
    await see(page.getByText('It fails since this build.').first());
    await page.context().close();
  });

  it('tells at the head of a failed job what has changed, and leads to the lines in the log', async () => {
    const page = await world.page({ dark: true });
    await page.goto('/demo/cart/builds/3');
    await page.getByRole('region', { name: 'What failed: 2 jobs' }).getByRole('link', { name: 'Unit tests' }).click();
    const panel = page.getByRole('region', { name: 'Unit tests', exact: true });
    await see(panel.getByText(`2 commits: ${'c'.repeat(10)}, ${'b'.repeat(10)}`));
    await see(panel.getByText('error TS2322: Type string').first());
    expect(await findingsOf(page)).toEqual([]);
    await panel.getByRole('link', { name: /^Lines 31\d to 31\d$/ }).click();
    await see(page.getByRole('region', { name: 'Log of Unit tests' }).getByText('error TS2322: Type string'));
    await page.context().close();
  });

  it('leads from the log to the first error, wraps long lines, writes times in three forms, and keeps groups as they were left', async () => {
    const page = await world.page();
    await page.goto('/demo/cart/builds/3');
    await page.getByRole('region', { name: 'What failed: 2 jobs' }).getByRole('link', { name: 'Unit tests' }).click();
    const log = page.getByRole('region', { name: 'Log of Unit tests' });
    // It opens at its end, 200 lines below.
    await see(log.getByText('still working on 200', { exact: true }));
    await page.getByRole('button', { name: 'First error' }).click();
    await see(log.getByText('error TS2322: Type string is not assignable'));
    expect(page.url()).toMatch(/\/L\d+$/);

    const line = log.getByText('error TS2322: Type string is not assignable');
    const height = async () => (await line.locator('xpath=..').locator('xpath=..').boundingBox())?.height ?? 0;
    await page.setViewportSize({ width: 500, height: 800 });
    await expect.poll(height).toBe(24);
    await page.getByRole('button', { name: 'Wrap lines' }).click();
    await expect.poll(height).toBeGreaterThan(24);
    expect(await log.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });

    const times = page.getByLabel('Times of lines');
    for (const [form, shape] of [
      ['Clock', /\d\d:\d\d:\d\d/],
      ['Since the start', /\d\.\d/],
      ['UTC', /\d{4}-\d\d-\d\dT/],
    ] as const) {
      await times.selectOption(form);
      await see(log.getByText(shape).first());
    }
    const group = log.getByRole('button', { name: 'Close group' }).first();
    await group.click();
    await see(log.getByRole('button', { name: 'Open group' }).first());
    const closed = await log.getByRole('button', { name: 'Open group' }).count();
    await page.reload();
    await see(log.getByRole('button', { name: 'Open group' }).first());
    expect(await log.getByRole('button', { name: 'Open group' }).count()).toBe(closed);
    expect(await times.inputValue()).toBe('utc');
    expect(await page.getByRole('button', { name: 'Wrap lines' }).getAttribute('aria-pressed')).toBe('true');
    expect(await findingsOf(page)).toEqual([]);
    await page.context().close();
  });

  it('tells what came of each entry of notify', async () => {
    const page = await world.page();
    await page.goto('/demo/cart/builds/3');
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    const entries = page.getByRole('region', { name: 'Notifications of the pipeline' });
    await see(entries.getByRole('row', { name: /email.*No mail server/ }).first());
    await see(entries.getByRole('row', { name: /slack.*#builds.*Condition does not hold.*build\.state/ }).first());
    await see(page.getByText('No status of this build was sent to a source provider'));
    expect(await findingsOf(page)).toEqual([]);
    await page.context().close();
  });

  it('shows nothing of the kind for a green one', async () => {
    const page = await world.page({ width: 360 });
    await page.goto('/demo/cart/builds/1');
    await see(page.getByRole('link', { name: /Unit tests/ }));
    expect(await page.getByText('What failed').count()).toBe(0);
    await page.goto('/demo/cart/builds/3');
    await see(page.getByRole('region', { name: 'What failed: 2 jobs' }).getByText('error TS2322').first());
    // Long lines scroll in their own frame.
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(isWide)).toBe(false);
    expect(world.complaints).toEqual([]);
    await page.context().close();
  });

  it('finds lines in the logs of all jobs, and leads to them', async () => {
    const page = await world.page();
    await page.goto('/demo');
    await page.goto('/organizations/demo/logs');
    await page.getByRole('searchbox', { name: 'Text in the logs of all jobs' }).fill('ERROR TS2322');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    // Agents print the command before they run it, so that line is in every log.
    await see(page.getByText(/^\d lines in .*: that is all\.$/));
    expect(await findingsOf(page)).toEqual([]);
    await page
      .getByRole('link', { name: /^cart #3, line \d+$/ })
      .last()
      .click();
    await see(page.getByText('error TS2322: Type string is not assignable').first());
    expect(page.url()).toMatch(/\/demo\/cart\/builds\/3#[0-9a-f-]{36}\/L\d+$/);
    await page.goto('/organizations/demo/logs?q=fetching%20%5Cd%2B0%24&form=regexp');
    await see(page.getByText(/^90 lines in .*: that is all\.$/));
    await page.goto('/organizations/demo/logs?q=(&form=regexp');
    await see(page.getByText(/The server refused the search: check the expression/));
    await page.close();
  });

  it('leads from a failed job to those that failed alike, and finds lines among failed jobs alone', async () => {
    const page = await world.page();
    await page.goto('/demo/cart/builds/3');
    const head = page.getByRole('region', { name: 'What failed: 2 jobs' });
    await head.getByRole('link', { name: 'Same failure in another job' }).first().click();
    await see(page.getByText('Only jobs that failed alike.'));
    // The agent prints the command in every run; no passed one has said this.
    await see(page.getByText(/^2 lines in .*: that is all\.$/));
    await see(page.getByRole('link', { name: /^cart #3, line \d+$/ }));
    await see(page.getByRole('link', { name: /^cart #2, line \d+$/ }));
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'All failed jobs' }).click();
    await see(page.getByText(/^Finds lines that tell why jobs failed/));
    await page.getByRole('searchbox', { name: 'Text in the logs of all jobs' }).fill('no such rule');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await see(page.getByText(/^2 lines in .*: that is all\.$/));
    await page.getByRole('combobox', { name: 'Where' }).selectOption('Whole logs');
    await see(page.getByText(/^[3-9] lines in .*: that is all\.$/));
    await page.getByRole('combobox', { name: 'Where' }).selectOption('Failed jobs’ lines');
    await page.getByRole('link', { name: 'Same failure elsewhere' }).first().click();
    expect(page.url()).toMatch(/cluster=/);
    await see(page.getByText('Only jobs that failed alike.'));
    expect(await page.getByRole('searchbox', { name: 'Text in the logs of all jobs' }).inputValue()).toBe('');
    await page.close();
  });

  it('says what is slow and what fails, by pipeline and by step', async () => {
    const page = await world.page();
    await page.goto('/organizations/demo/insights');
    const table = page.getByRole('region', { name: 'Insights' });
    await see(table.getByRole('row', { name: /^cart 3 67 %/ }));
    await page.getByRole('combobox', { name: 'By' }).selectOption('Step');
    await see(table.getByRole('row', { name: /^cart\/test 3 67 %/ }));
    expect(page.url()).toContain('by=step');
    const sort = table.getByRole('button', { name: 'Step' });
    await sort.click();
    await see(table.locator('th[aria-sort=descending]'));
    expect(page.url()).toContain('sort=-name');
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const file = await downloads;
    expect(file.suggestedFilename()).toBe('insights-by-step-7-days.csv');
    const lines = readFileSync(await file.path(), 'utf8').split('\n');
    expect(lines[0]).toBe(`step,${columns}`);
    expect(lines.some((line) => line.startsWith('cart/test,3,2,'))).toBe(true);
    expect(await findingsOf(page)).toEqual([]);
    await page.close();
  });

  it('draws the figures of each day as the API gives them, for eyes, keys and screen readers', async () => {
    const page = await world.page({ dark: true });
    await page.goto('/organizations/demo/insights');
    const table = page.getByRole('region', { name: 'Insights' });
    await table.getByRole('link', { name: 'cart', exact: true }).click();
    // A row leads to its own figures, and to what is inside.
    await see(table.getByRole('row', { name: /^cart\/test/ }));
    expect(page.url()).toContain('pipeline=cart');
    const from = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
    const days = await world.api<Figures[]>('GET', `/insights?by=day&pipeline=cart&from=${from}`);
    const built = days.findLastIndex(({ builds }) => builds > 0);
    const day = days[built];
    expect([days.length, day?.builds]).toEqual([8, 3]);

    const chart = (name: string) => page.getByRole('slider', { name, exact: true });
    const builds = chart('Builds: Day');
    const said = (of: Locator) => of.getAttribute('aria-valuetext');
    expect(await said(builds)).toMatch(new RegExp(`, 20\\d\\d: Did not fail 1, Failed ${day?.failed}$`));
    expect(await builds.locator('rect.chart-bar').count()).toBe(2);
    const seconds = (figure = 0) => durationText(figure * 1000);
    for (const [name, p50, p95] of [
      ['Duration of builds: Day', day?.duration_p50, day?.duration_p95],
      ['Wait for an agent: Day', day?.wait_p50, day?.wait_p95],
    ] as const) {
      expect(await said(chart(name))).toContain(`: Median ${seconds(p50)}, 95 % ${seconds(p95)}`);
      expect(await chart(name).locator('circle').count()).toBe(2);
    }

    // The day before, on which nothing was built, is there too; all charts are about the same day.
    await builds.press('ArrowLeft');
    await expect.poll(() => said(builds)).toContain('Did not fail 0, Failed 0');
    expect(await said(chart('Wait for an agent: Day'))).toContain('Median –, 95 % –');
    await page.getByText('The same as a table').click();
    const overTime = page.getByRole('region', { name: 'Over time' });
    expect(await overTime.locator('tbody tr').count()).toBe(8);
    expect(await findingsOf(page)).toEqual([]);
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the days' }).click();
    const lines = readFileSync(await (await downloads).path(), 'utf8').split('\n');
    expect(lines[0]).toBe(`day,${columns}`);
    expect(lines[built + 1]).toMatch(new RegExp(`^${day?.key},3,2,`));

    await page.getByRole('link', { name: 'Only pipeline cart' }).click();
    await expect.poll(() => page.url()).not.toContain('pipeline=');
    await page.getByRole('combobox', { name: 'Time' }).selectOption('The last day');
    await see(chart('Builds: Hour'));
    // Twice as large, as on a narrow screen, nothing is cut off.
    await page.setViewportSize({ width: 360, height: 720 });
    const wide = () => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    await expect.poll(wide).toBeLessThanOrEqual(0);
    await page.close();
  });

  it('leads to its figures from a pipeline and from a queue', async () => {
    const page = await world.page();
    await page.goto('/demo/cart');
    await page.getByRole('link', { name: 'Insights' }).click();
    await see(page.getByRole('link', { name: 'Only pipeline cart' }));
    await page.goto(`/organizations/demo/clusters/${world.demo.cluster_id}`);
    await page.getByRole('link', { name: 'default', exact: true }).click();
    await see(page.getByRole('slider', { name: 'Wait for an agent: Day' }));
    await page.getByRole('link', { name: 'All figures' }).click();
    await see(page.getByRole('link', { name: /^Only queue .*default$/ }));
    await see(page.getByRole('slider', { name: 'Duration of jobs: Day' }));
    await page.close();
  });

  it('tells costs once a queue has a price', async () => {
    const page = await world.page();
    await page.goto('/organizations/demo/insights?days=365');
    const table = page.getByRole('region', { name: 'Insights' });
    await see(table.getByRole('row', { name: /^cart 3 67 %/ }));
    const cost = page.getByRole('slider', { name: 'Cost: Day' });
    expect(await cost.count()).toBe(0);
    await page.goto(`/organizations/demo/clusters/${world.demo.cluster_id}`);
    await page.getByRole('link', { name: 'default', exact: true }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Price of an hour of an agent').fill('3600');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.goto('/organizations/demo/insights?days=365');
    await see(cost);
    const from = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
    const [row] = await world.api<(Figures & { cost: number })[]>('GET', `/insights?pipeline=cart&from=${from}`);
    const cells = await table.getByRole('row', { name: /^cart 3 67 %/ }).innerText();
    // The price is one a second. Rows and rollups round the time of agents each in their way.
    expect(Number(/\t(\d+\.\d\d)\t/.exec(cells)?.[1])).toBeCloseTo(row?.cost ?? NaN, 1);
    expect(await findingsOf(page)).toEqual([]);
    await page.close();
  });

  it('tells how busy agents were, by queue and over time', async () => {
    const from = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
    const figures = async (by: string) =>
      (await world.api<Busy[]>('GET', `/insights?by=${by}&from=${from}`)).findLast(
        (row) => row.agents_busy_share !== null,
      );
    // The server adds the time of agents once a minute.
    await expect.poll(() => figures('queue'), { timeout: 150_000, interval: 1_000 }).toBeDefined();
    const page = await world.page();
    await page.goto('/organizations/demo/insights?by=queue');
    const table = page.getByRole('region', { name: 'Insights' });
    await see(table.getByRole('button', { name: 'Agents busy' }));
    const queue = await figures('queue');
    const percent = `${Math.round(100 * (queue?.agents_busy_share ?? NaN))} %`;
    expect(await table.getByRole('row', { name: /^default / }).innerText()).toContain(percent);
    const chart = page.getByRole('slider', { name: 'Agents busy: Day' });
    const day = await figures('day');
    expect(await chart.getAttribute('aria-valuetext')).toContain(
      `Busy ${Math.round(100 * (day?.agents_busy_share ?? NaN))} %`,
    );
    expect(await findingsOf(page)).toEqual([]);
    // Of a part of the jobs nothing tells.
    await page.goto('/organizations/demo/insights?pipeline=cart&by=queue');
    await see(table.getByRole('row', { name: /^default / }));
    expect(await chart.count()).toBe(0);
    expect(await table.getByRole('button', { name: 'Agents busy' }).count()).toBe(0);
    await page.close();
  });

  it('says which tests are slow and which are not reliable', async () => {
    const test = (name: string, seconds: number, result = 'passed') => ({
      id: crypto.randomUUID(),
      scope: 'cart',
      name,
      result,
      history: { section: 'top', start_at: 0, end_at: seconds, duration: seconds },
    });
    const { slug } = await world.suite(
      'Speed',
      JSON.stringify([test('waits for a worker', 12), test('adds', 1), test('adds', 1, 'failed'), test('counts', 3)]),
    );
    const page = await world.page();
    await page.goto(`/organizations/demo/analytics/suites/${slug}?tab=tests`);
    const table = page.getByRole('region', { name: 'Tests' });
    await see(table.getByRole('link', { name: 'waits for a worker' }));
    const order = page.getByRole('combobox', { name: 'Order' });
    const names = async (first: string) => {
      await see(table.getByRole('row').nth(1).getByRole('link', { name: first }));
      return table.getByRole('link').allInnerTexts();
    };
    await order.selectOption('Slowest first');
    expect(await names('waits for a worker')).toEqual(['waits for a worker', 'counts', 'adds']);
    await order.selectOption('Least reliable first');
    expect((await names('adds'))[0]).toBe('adds');
    expect(page.url()).toContain('by=unreliable');
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last 28 days');
    await page.getByRole('searchbox', { name: 'Search tests' }).fill('cou');
    expect(await names('counts')).toEqual(['counts']);
    await page.getByRole('searchbox', { name: 'Search tests' }).fill('');
    const [branch, label] = ['Branch', 'Label'].map((name) => page.getByRole('searchbox', { name }));
    const all = (...names: string[]) =>
      expect.poll(async () => (await table.getByRole('link').allInnerTexts()).sort()).toEqual(names);
    await label?.fill('flaky');
    await all('adds');
    await label?.fill('!flaky');
    await all('counts', 'waits for a worker');
    await branch?.fill('!main');
    await see(page.getByText('No test ran in this time.'));
    await branch?.fill('mai*');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Enabled');
    await all('counts', 'waits for a worker');
    expect(decodeURIComponent(page.url())).toMatch(/label=!flaky&branch=mai\*&state=enabled$/);
    expect(await findingsOf(page)).toEqual([]);
    await page.close();
  });
});
