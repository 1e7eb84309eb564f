/**
 * `npm run console:measure`: what large pages cost a browser. Home with 200 pipelines, builds of 500 and 2,000 jobs,
 * a log of 1,000,000 lines: the browser's measures, when what was asked for could be read, and memory of the page's
 * JavaScript. Needs Chromium and a built console.
 */
import type { Page } from 'playwright-core';
import { ConsoleWorld, whyNot } from './console-world.js';
import { measuresOf, type PageMeasures, startMeasuring } from './page-measures.js';

const many = 200;
const lines = 1_000_000;

interface Measured extends PageMeasures {
  page: string;
  readableMs: number;
  memoryMb: number;
}

/** `wanted` is a text that the address leads to. */
async function measure(
  world: ConsoleWorld,
  name: string,
  path: string,
  wanted: string,
  keys: string[],
): Promise<Measured> {
  const page = await world.page();
  await startMeasuring(page);
  await page.goto(path);
  await page.getByText(wanted, { exact: true }).first().waitFor();
  const readable = await page.evaluate<number>('performance.now()');
  await page.waitForLoadState('networkidle');
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
  }
  await page.waitForTimeout(1_000);
  const measures = await measuresOf(page);
  const memoryMb = await heapOf(page);
  await page.context().close();
  return { page: name, readableMs: Math.round(readable), ...measures, memoryMb };
}

async function heapOf(page: Page): Promise<number> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('HeapProfiler.collectGarbage');
  const { usedSize } = await browser.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 1_000_000);
}

async function prepare(world: ConsoleWorld): Promise<string> {
  const { cluster_id } = world.demo;
  const make = (name: string, configuration: string) =>
    world.api('POST', '/pipelines', { name, repository: 'https://git.example.com/m.git', cluster_id, configuration });
  const plain = 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: ';
  for (let count = 0; count < many; count++) await make(`Pipeline ${count}`, 'steps: [{command: make}]');
  await world.api('POST', `/clusters/${cluster_id}/queues`, { key: 'nobody' });
  await make('Wide', `${plain}[{label: Part, command: make, parallelism: 500, agents: {queue: nobody}}]`);
  const part = (name: string) => `{label: ${name}, command: make, parallelism: 500, agents: {queue: nobody}}`;
  await make('Widest', `${plain}[${['One', 'Two', 'Three', 'Four'].map(part).join(', ')}]`);
  await make('Long', `${plain}[{label: Count, command: "seq 1 ${lines}"}]`);
  await world.api('POST', '/pipelines/wide/builds', { commit: 'HEAD', branch: 'main', message: 'Five hundred jobs' });
  await world.api('POST', '/pipelines/widest/builds', { commit: 'HEAD', branch: 'main', message: 'Two thousand' });
  await world.api('POST', '/pipelines/long/builds', { commit: 'HEAD', branch: 'main', message: 'A million lines' });
  await world.untilPassed('/pipelines/long/builds/1');
  return world.firstJob('/pipelines/long/builds/1');
}

const reason = whyNot();
if (reason) throw new Error(reason);
const world = await ConsoleWorld.start({ LIMITS: 'jobsPerUpload=2000' });
try {
  const job = await prepare(world);
  const down = (times: number) => Array.from({ length: times }, () => 'j');
  const results = [
    await measure(world, `home, ${many} pipelines`, '/', 'Favorites', ['?', 'Escape']),
    await measure(world, `list of ${many} pipelines`, '/demo', 'Pipeline 0', ['?', 'Escape']),
    await measure(world, 'build of 500 jobs', '/demo/wide/builds/1', 'Part', down(10)),
    await measure(world, 'build of 2,000 jobs', '/demo/widest/builds/1', 'One', down(10)),
    await measure(world, `log of ${lines} lines`, `/demo/long/builds/1#${job}/L500000`, '499995', ['t', 't', 't', 't']),
  ];
  process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
} finally {
  await world.close();
}
