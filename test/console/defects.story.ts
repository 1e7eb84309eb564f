import { expect as see } from './expect.js';
import { ConsoleWorld, whyNot } from './console-world.js';
import { describeUnless } from '../support/skips.js';

const reason = whyNot();

const skip = 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\n';
const long = `${skip}steps:
  - label: ":rocket: Launch"
    command: "for i in $(seq 1 400); do echo line $$i; done; while true; do echo beat; sleep 0.2; done"
`;

describeUnless(reason, 'the console, as people stumble over it', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    const { cluster_id } = world.demo;
    for (const [name, configuration] of [
      ['Beats', long],
      ['Fails', `${skip}steps: [{label: Fail, command: "exit 1"}]`],
    ] as const)
      await world.api('POST', '/pipelines', {
        name,
        repository: 'https://git.example.com/s.git',
        cluster_id,
        configuration,
      });
  });
  afterAll(() => world?.close());

  const build = async (pipeline: string, message = 'A build') => {
    const { number } = await world.api<{ number: number }>('POST', `/pipelines/${pipeline}/builds`, {
      commit: 'HEAD',
      branch: 'main',
      message,
    });
    return `/pipelines/${pipeline}/builds/${number}`;
  };

  it('brings a reader who goes back to the place in a long list where they were', async () => {
    const page = await world.page({ width: 1280, height: 800 });
    for (let count = 0; count < 130; count += 1) await build('fails', `Build ${count}`);
    await page.goto('/demo/fails');
    await see(page.getByRole('link', { name: /Build 129/ }));
    const early = page.getByRole('link', { name: /Build 3$/ });
    for (let turn = 0; turn < 40 && (await early.count()) === 0; turn += 1) {
      await page.mouse.wheel(0, 4_000);
      await page.waitForTimeout(150);
    }
    await early.scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    const before = await page.evaluate<number>('window.scrollY');
    await early.click();
    await see(page.getByRole('heading', { name: 'Build 3' }));
    await page.goBack();
    await see(early);
    await page.waitForFunction(`Math.abs(window.scrollY - ${before}) < 200`);
    await page.context().close();
  });

  it('asks before a key cancels a build, and has no single keys for whom they are off', async () => {
    const page = await world.page({ width: 1440, height: 900 });
    const path = await build('beats');
    await page.goto(`/demo${path.slice('/pipelines'.length)}`);
    await see(page.getByRole('heading', { name: 'A build' }));
    await page.keyboard.press('x');
    const dialog = page.getByRole('dialog', { name: /^Cancel build/ });
    await see(dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await world.api<{ state: string }>('GET', path)).state).not.toMatch(/cancel/);

    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: 'Shortcuts of a single key' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('x');
    await page.keyboard.press('?');
    await page.waitForTimeout(300);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await see(page.getByRole('dialog'));
    await world.api('PUT', `${path}/cancel`);
    await page.context().close();
  });

  it('leaves the reader of a running log where they are, and shows its end without scrolling the page', async () => {
    const page = await world.page({ width: 1440, height: 900 });
    const path = await build('beats');
    const job = await world.firstJob(path);
    await page.goto(`/demo${path.slice('/pipelines'.length)}#${job}`);
    const log = page.getByRole('region', { name: /^Log of/ });
    await see(log.getByText('beat').last());
    const box = await log.boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBeLessThanOrEqual(900);

    await log.focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await see(page.getByRole('button', { name: 'Follow' }));
    // Browsers scroll smoothly by keys.
    await page.waitForTimeout(500);
    const before = await log.evaluate((element) => element.scrollTop);
    await page.waitForTimeout(1_500);
    expect(await log.evaluate((element) => element.scrollTop)).toBe(before);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const beats = Buffer.concat(chunks).toString().split('beat').length - 1;
    const shown = Number((await page.getByText(/^[\d,]+ lines$/).textContent())?.replace(/\D/g, ''));
    expect(beats).toBeGreaterThan(shown - 410);
    await world.api('PUT', `${path}/cancel`);
    await page.context().close();
  });

  it('shows the attempt that a person asked for, and the ones before', async () => {
    const page = await world.page();
    const path = await build('fails');
    const job = await world.firstJob(path);
    await page.goto(`/demo${path.slice('/pipelines'.length)}#${job}`);
    await page.getByRole('region', { name: 'Fail' }).getByRole('button', { name: 'Retry' }).click();
    const attempts = page.getByRole('navigation', { name: '2 attempts' });
    await see(attempts);
    await see(attempts.getByRole('link', { name: /Attempt 2/ }).and(page.locator('[aria-current="true"]')));
    await attempts.getByRole('link', { name: /Attempt 1/ }).click();
    await page.waitForURL(`**#${job}`);
    await page.context().close();
  });

  it('shows pictures and classes of annotations, at the address of each', async () => {
    const page = await world.page();
    const path = await build('fails');
    const body = '<p class="bold border border-red p2"><a href="artifact://none.txt">file</a></p>';
    for (let at = 0; at < 12; at++)
      await world.api('POST', `${path}/annotations`, { context: `c${at}`, body: `${body}\n${'text\n\n'.repeat(8)}` });
    await page.goto(`/demo${path.slice('/pipelines'.length)}#annotation-c3`);
    const text = page.locator('#annotation-c3 p.bold');
    await see(text);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#annotation-c3 p.bold')).fontWeight`)).toBe(
      '700',
    );
    const top = `document.getElementById('annotation-c3').getBoundingClientRect().top`;
    await page.waitForFunction(`${top} > -1 && ${top} < innerHeight / 2`);
    await page.locator('#annotation-c3 a').click();
    await see(page.getByText('No job of this build has uploaded none.txt'));
    await page.context().close();
  });

  it('loads itself again when its files are those of another release, once, and says so', async () => {
    const page = await world.page();
    const path = await build('fails');
    const job = await world.firstJob(path);
    await page.goto(`/demo${path.slice('/pipelines'.length)}`);
    await see(page.getByRole('link', { name: /Fail/ }).first());
    let gone = true;
    await page.route(/\/assets\/job-panel.*\.js/, (route) => (gone ? route.abort() : route.continue()));
    const loaded = page.waitForEvent('load');
    await page.evaluate(`location.hash = '${job}'`);
    await loaded;
    gone = false;
    await see(page.getByText('This page was loaded again: the server has been upgraded.'));
    await page.context().close();
  });

  it('draws emoji in steps, names jobs in events, and asks for a new password in the profile', async () => {
    const page = await world.page();
    const path = await build('beats');
    await page.goto(`/demo${path.slice('/pipelines'.length)}`);
    await see(page.getByText('🚀 Launch').first());
    await page.getByRole('link', { name: 'Events' }).click();
    await see(page.getByRole('cell', { name: 'Launch' }).first());
    await page.goto('/account?tab=profile');
    await see(page.getByText('Email address'));
    await world.api('PUT', `${path}/cancel`);
    await page.context().close();
  });
});
