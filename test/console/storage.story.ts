import { spawnSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { temporaryDirectory } from '../support/directory.js';
import { describeUnless } from '../support/skips.js';

const configuration = `env: {BUILDKITE_SKIP_CHECKOUT: "true"}
steps: [{command: "seq 1 100000; seq 1 9000 > numbers.txt", artifact_paths: "*.txt"}]
`;

describeUnless(whyNot(), 'a disk that is filling', () => {
  const directory = temporaryDirectory();
  let world: ConsoleWorld;
  beforeAll(async () => {
    const DATA_DIR = directory.path;
    const before = await ConsoleWorld.start({ DATA_DIR });
    await before.api('POST', '/pipelines', {
      name: 'Shop',
      repository: 'https://git.example.com/shop.git',
      cluster_id: before.demo.cluster_id,
      configuration,
    });
    await before.api('POST', '/pipelines/shop/builds', { commit: 'HEAD', branch: 'main' });
    await before.untilPassed('/pipelines/shop/builds/1');
    await before.close();
    // Sizes are counted once a day: the server may have counted before there was a build, or not at all.
    // The test runner's own environment has a BASE_URL.
    const { PATH, HOME } = process.env;
    const run = ['dist/main.js', 'retention', 'run'];
    const { status, stderr } = spawnSync(process.execPath, run, { env: { PATH, HOME, DATA_DIR }, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const { bavail, bsize } = await statfs(tmpdir());
    // Between once and twice the reserve is free, whatever this machine has.
    world = await ConsoleWorld.start({ DATA_DIR, DISK_RESERVE: String(Math.floor((bavail * bsize) / 1.5)) });
  });
  afterAll(async () => {
    await world?.close();
    directory.remove();
  });

  it('is said on top of every page of an administrator, with the way to what takes the room', async () => {
    const page = await world.page();
    await page.goto('/demo');
    const banner = page.getByRole('complementary', { name: 'Disk of logs and artifacts' });
    await see(banner.getByText(/is filling: [\d.]+ [MGT]B are free/));
    await banner.getByRole('link', { name: 'What takes the room' }).click();
    await see(page.getByRole('heading', { level: 2, name: 'Storage' }));
    const figures = page.getByLabel('Storage', { exact: true });
    for (const name of ['Free on the disk', 'Logs', 'Artifacts', 'Builds (database)'])
      await see(figures.getByText(name, { exact: true }));
    const pipelines = page.getByRole('region', { name: 'Storage by pipeline' });
    expect(await pipelines.getByRole('row').count()).toBeGreaterThan(1);
    await pipelines.getByRole('link').first().click();
    await see(page.getByRole('heading', { level: 1 }));
    await see(banner.getByText('is filling'));
    expect(world.complaints).toEqual([]);
    await page.context().close();
  });
});
