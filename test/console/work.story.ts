import type { Locator, Page } from 'playwright-core';
import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

/** Jobs that fail at first and pass when they are tried again, and one that somebody has to stop. */
const flaky = `env: {BUILDKITE_SKIP_CHECKOUT: "true"}
steps:
  - {label: One, command: 'echo "try \$\$BUILDKITE_RETRY_COUNT of one"; test "\$\$BUILDKITE_RETRY_COUNT" -gt 0'}
  - {label: Two, command: 'echo "try \$\$BUILDKITE_RETRY_COUNT of two"; test "\$\$BUILDKITE_RETRY_COUNT" -gt 0'}
  - {label: Three, command: 'test "\$\$BUILDKITE_RETRY_COUNT" -gt 0'}
`;
const slow = 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{label: Long, command: "echo begun; sleep 600"}]';
/** What terminals show beside text: a link, and an image in its own bytes. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const colourful = `env: {BUILDKITE_SKIP_CHECKOUT: "true"}
steps:
  - label: Show
    command: |
      printf '+++ Report\\n'
      printf '\\033]8;;https://example.com/report\\007the report\\033]8;;\\007\\n'
      printf '\\033]1337;File=name=cGl4ZWwucG5n;inline=1;alt=a pixel:${pixel}\\007\\n'
      mkdir -p out/deep && echo "all is well" > out/deep/report.txt
      printf '${pixel}' | base64 -d > out/pixel.png
      buildkite-agent artifact upload "out/**/*"
      printf '\\033]1338;url=artifact://out/pixel.png;alt=uploaded\\007\\n'
`;

const widthOf = (image: Locator) =>
  image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);

/** The way back has the focus first. */
async function cancelByKeys(page: Page): Promise<void> {
  await page.keyboard.press('x');
  await see(page.getByRole('dialog', { name: /^Cancel build/ }));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}

describeUnless(whyNot(), 'a day of work in the console', () => {
  let world: ConsoleWorld;
  const make = (name: string, configuration: string) =>
    world.api('POST', '/pipelines', {
      name,
      repository: 'https://git.example.com/s.git',
      cluster_id: world.demo.cluster_id,
      configuration,
    });
  const start = (pipeline: string, message: string) =>
    world.api('POST', `/pipelines/${pipeline}/builds`, { commit: 'HEAD', branch: 'main', message });
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    await make('Flaky', flaky);
    await make('Slow', slow);
    await make('Colourful', colourful);
    await start('colourful', 'Pictures');
  });
  afterAll(() => world?.close());

  it('retries one failed job, then all others that failed, and shows the attempts', async () => {
    await start('flaky', 'Unlucky');
    const page = await world.page();
    await page.goto('/demo/flaky/builds/1');
    const state = page.getByRole('region', { name: 'State' }).locator('.state-pill');
    await see(state.getByText('Failed'));
    await page.getByRole('link', { name: /One/ }).first().click();
    await see(page.getByRole('region', { name: 'Log of One' }).getByText('try 0 of one'));
    const one = page.getByRole('region', { name: 'One', exact: true });
    await one.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByRole('link', { name: /One.*2 attempts/ }).click();
    await see(page.getByRole('region', { name: 'Log of One' }).getByText('try 1 of one'));
    await page.getByRole('button', { name: 'Retry failed jobs' }).click();
    await see(state.getByText('Passed'));
    await page.getByRole('link', { name: /Two.*2 attempts/ }).click();
    await see(page.getByRole('region', { name: 'Log of Two' }).getByText('try 1 of two'));
    await page.getByRole('link', { name: 'Waterfall' }).click();
    await expect.poll(() => page.getByRole('link', { name: /One|Two|Three/ }).count()).toBe(6);
    await page.context().close();
  });

  it('is done without a pointer: a build is started, watched, stopped and built again', async () => {
    const page = await world.page();
    await page.goto('/');
    await see(page.getByRole('button', { name: 'Search and commands' }));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('slow');
    await see(page.getByRole('option', { name: /Slow/ }));
    await page.keyboard.press('Enter');
    await see(page.getByRole('heading', { level: 1, name: 'Slow' }));
    await page.keyboard.press('n');
    await see(page.getByRole('dialog', { name: 'New build' }));
    await page.keyboard.type('By hand');
    await page.keyboard.press('Enter');
    await see(page.getByRole('heading', { level: 1, name: 'By hand' }));
    await see(page.getByRole('link', { name: /Long/ }));
    await page.keyboard.press('j');
    await see(page.getByRole('region', { name: 'Log of Long' }).getByText('begun', { exact: true }));
    await page.keyboard.press('/');
    await page.keyboard.type('begun');
    await see(page.getByRole('status').getByText(/^1 of/));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Log of Long' }).waitFor({ state: 'detached' });
    await cancelByKeys(page);
    await see(page.getByRole('button', { name: 'Rebuild' }));
    await page.keyboard.press('r');
    await see(page.getByRole('dialog', { name: 'Rebuild build #1?' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/demo/slow/builds/2');
    await see(page.getByRole('heading', { level: 1, name: 'By hand' }));
    await see(page.getByRole('button', { name: 'Cancel' }).first());
    await cancelByKeys(page);
    await see(page.getByRole('button', { name: 'Rebuild' }));
    await page.context().close();
  });

  it('shows links and images of a log, and what a job left, with nothing but the session', async () => {
    await world.untilPassed('/pipelines/colourful/builds/1');
    const page = await world.page();
    await page.goto('/demo/colourful/builds/1');
    await page.getByRole('link', { name: /Show/ }).click();
    const log = page.getByRole('region', { name: 'Log of Show' });
    expect(await log.getByRole('link', { name: 'the report' }).getAttribute('href')).toBe('https://example.com/report');
    for (const name of ['a pixel', 'uploaded']) {
      await see(log.getByRole('img', { name }));
      await expect.poll(() => widthOf(log.getByRole('img', { name }))).toBe(1);
    }
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await saving).createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain('https://example.com/report');

    await page.goto('/demo/colourful/builds/1?tab=artifacts');
    await page.getByRole('button', { name: 'report.txt' }).click();
    await see(page.getByRole('region', { name: /report\.txt/ }).getByText('all is well'));
    await page.getByRole('button', { name: 'pixel.png' }).click();
    const image = page.getByRole('img', { name: 'out/pixel.png' });
    await see(image);
    await expect.poll(() => widthOf(image)).toBe(1);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: /Download out\/deep\/report\.txt/ }).click();
    expect((await downloading).suggestedFilename()).toBe('report.txt');
    await page.context().close();
  });

  it('broke no content security policy and threw nothing meanwhile', () => {
    expect(world.complaints).toEqual([]);
  });
});
