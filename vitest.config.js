import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { compiledModules } from './test/support/compiled-modules.ts';

/**
 * Long stories of processes: servers, agents and git as children of the test (docs/testing.md says what each is about and
 * where its rules are proved). `npm run test:stories` runs them, `npm test` all others, CI both.
 */
const stories = [
  'agent/artifact-story',
  'agent/checkout-options-story',
  'agent/checkout-story',
  'agent/hooks-story',
  'agent/job-commands/in-a-job-story',
  'agent/plugins-story',
  'agent/repository-token-story',
  'agent/signed-steps-story',
  'agent/team-repository-story',
  'backup/of-server-story',
  'bench/floors',
  'check/command',
  'commands/dev',
  'commands/package-story',
  'commands/run',
  'commands/run-on-server',
  'commands/tools-of-server',
  'commands/user',
  'docs/guide-story',
  'docs/your-repository',
  'providers/gitea-story',
  'replicas/compose-first-steps',
  'replicas/deletion-kill',
  'replicas/kill',
  'replicas/read-replica',
  'replicas/rolling-restart',
  'replicas/set-aside',
  'replicas/streams',
  'server/foreign-storage',
  'server/full-disk',
  'server/fuzz',
  'server/installation',
  'server/log-reader',
  'server/network-story',
  'server/proxied-server-story',
  'server/serve',
  'server/small-heap',
  'upgrade/upgrade-story',
  'web/agent-install-story',
].map((name) => `test/${name}.test.ts`);

/**
 * Files that go through all there is of something: every column of every table, every public pipeline file, every read as
 * every reader, the sizes and times at which work is refused. `npm run test:exhaustive` runs them, CI always.
 */
const exhaustive = [
  'agent-api/builds/step-uploads/vectors',
  'backup/surfaces',
  'check/under-load',
  'database/migration-plan',
  'domain/builds/logs/terminal-laws',
  'graphql/limits/bounds',
  'operations/agents/long-queues',
  'operations/builds/annotations/body-html',
  'operations/integrations/notifications/many-statuses',
  'operations/integrations/notifications/payload-text',
  'parity/reads/deleted-resources',
  'parity/reads/hidden-resources',
  'parity/scopes/scope-matrix',
  'parity/scopes/scopes-of-reads',
  'parity/scopes/scopes-of-writes',
  'rest/fragment-cache',
  'rest/pipelines/real-pipelines',
  'server/distinct-keys',
  'server/memory-uses',
  'test-uploads/large-reports',
  'workers/pool',
].map((name) => `test/${name}.test.ts`);

/** Generators of clients, installed from their registries: `npm run test:generators`, for whoever is online. */
const generators = 'test/generators/**/*.test.ts';

/** Terraform with the provider of this kind of service: `npm run test:terraform`, for whoever has both. */
const terraform = 'test/terraform/**/*.test.ts';

/** Servers with a small heap that are filled to their limits and read: `npm run test:budget`, CI always. */
const budget = ['table', 'every-kind'].map((name) => `test/budget/${name}.test.ts`);

/** A worker has the product, its packages and an embedded database loaded. */
const memoryOfWorker = 1.5 * 1024 ** 3;

/** Small files that take long. Without results of an earlier run Vitest begins with the largest files. */
const longest = [
  'replicas/streams',
  'commands/dev',
  'commands/run',
  'docs/your-repository',
  'parity/scopes/scope-matrix',
  'replicas/deletion-kill',
  'replicas/kill',
  'replicas/rolling-restart',
  'agent/team-repository-story',
  'parity/writes/refusals',
];
const workers = (most) => Math.max(1, Math.min(most, Math.floor(totalmem() / memoryOfWorker)));
const rank = ({ moduleId }) => {
  const index = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return index < 0 ? longest.length : index;
};

/** Begins with the files above: as the last one each would leave all cores but one idle. */
class LongestFirst extends BaseSequencer {
  async sort(files) {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * Lets Node load the product's modules as it does in production, compiled once a run by the compiler of the build, while
 * Vitest's own runner would transform each and read every import through a getter: a third of the CPU of a whole run
 * (docs/decisions/0009-test-runner.md). What watches files, or asks which tests a change concerns, needs Vitest's graph.
 */
function productAsCompiled() {
  const source = resolve('src');
  let compiled;
  return {
    name: 'product-as-compiled',
    enforce: 'pre',
    resolveId(name, importer) {
      if (!importer || !name.startsWith('.')) return null;
      const file = resolve(dirname(importer), name);
      if (!file.startsWith(source + sep)) return null;
      compiled ??= compiledModules();
      const own = join(compiled, relative(source, file));
      return existsSync(own) ? own : null;
    },
  };
}
const wholeRun = process.argv.includes('run') && !process.argv.some((argument) => argument.startsWith('--changed'));

export default defineConfig({
  plugins: wholeRun ? [productAsCompiled()] : [],
  // The order in which Node looks for the file of a package: graphql exists as .mjs too, and must not be loaded twice.
  resolve: { extensions: ['.js', '.mjs', '.ts', '.json'] },
  test: {
    globals: true,
    // Modules are loaded once a worker, as a server loads them, and not once for each test file: a test may not count
    // on modules without a past, and makes itself what it needs new (docs/decisions/0009-test-runner.md).
    pool: 'forks',
    isolate: false,
    execArgv: wholeRun ? ['--enable-source-maps'] : [],
    server: { deps: { external: [/[/\\]tmp[/\\]modules-\w+[/\\]/] } },
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // In CI a test that failed has one more attempt, and is named if that passes (test/support/retried-tests.ts): a machine that
    // stops for seconds is no defect of the change, and the name is the begin of the search for one of ours.
    retry: process.env.CI ? 1 : 0,
    forceRerunTriggers: ['**/package-lock.json', '**/vitest.config.js', '**/tsconfig*.json', '**/import-law.json'],
    projects: [
      {
        extends: true,
        test: {
          name: 'suite',
          include: ['test/**/*.test.ts'],
          exclude: [...stories, ...exhaustive, ...budget, generators, terraform],
          maxWorkers: workers(availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'stories',
          include: stories,
          // One more than there are cores: a story waits for its processes about half of the time.
          maxWorkers: workers(availableParallelism() + 1),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'exhaustive',
          include: exhaustive,
          maxWorkers: workers(availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'generators', include: [generators], maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { name: 'terraform', include: [terraform], maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        // One at a time: each server is to have a core, and its callers the other.
        test: { name: 'budget', include: budget, maxWorkers: 1, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
