import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { expect as see } from './expect.js';

const of = '/organizations/demo';
const pages: [string, string][] = [
  ['/', 'Home'],
  ['/demo', 'Pipelines'],
  ['/demo/hello', 'Hello'],
  ['/demo/hello/builds/1', 'Say hello'],
  ['/demo/hello/builds/1?view=graph', 'Say hello'],
  ['/demo/hello/builds/1?view=waterfall', 'Say hello'],
  ['/demo/hello/builds/1?tab=events', 'Say hello'],
  ['/demo/hello/settings', 'Settings of Hello'],
  [`${of}/pipelines/new`, 'New pipeline'],
  [`${of}/agents`, 'Agents'],
  [`${of}/clusters`, 'Clusters'],
  [`${of}/analytics/suites`, 'Test suites'],
  [`${of}/teams`, 'Teams'],
  [`${of}/users`, 'Members'],
  [`${of}/pipeline-templates`, 'Pipeline templates'],
  [`${of}/notification-services`, 'Notification services'],
  [`${of}/rules`, 'Rules'],
  [`${of}/api-tokens`, 'API tokens'],
  [`${of}/audit-log`, 'Audit log'],
  [of, 'Demo'],
];

describe.skipIf(whyNot() !== null)('the pages of the console for everybody', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    const configuration =
      'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{label: Hi, command: "echo hi"}, wait, {block: Go}]';
    const { cluster_id } = world.demo;
    await world.api('POST', '/pipelines', {
      name: 'Hello',
      repository: 'https://git.example.com/h.git',
      cluster_id,
      configuration,
    });
    await world.api('POST', '/pipelines/hello/builds', { commit: 'HEAD', branch: 'main', message: 'Say hello' });
  });
  afterAll(() => world?.close());

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('have no serious finding of axe, %s at %i pixels', async (theme, width) => {
    const page = await world.page({ dark: theme === 'dark', width });
    const findings: string[] = [];
    for (const [path, heading] of pages) {
      await page.goto(path);
      await see(page.getByRole('heading', { level: 1, name: heading }));
      findings.push(...(await findingsOf(page)).map((finding) => `${path} ${finding}`));
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (wide > 0) findings.push(`${path} is ${wide} pixels wider than the screen`);
    }
    await page.context().close();
    expect(findings).toEqual([]);
  });
});
