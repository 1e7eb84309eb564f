import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** A worker has the product, its packages and an embedded database loaded. */
const memoryOfWorker = 1.5 * 1024 ** 3;

/** Small files that take long. Without results of an earlier run Vitest begins with the largest files. */
const longest = [
  'replicas/streams',
  'commands/dev',
  'docs/your-repository',
  'commands/run',
  'parity/scope-matrix',
  'agent/team-repository-story',
  'web/agent-files',
  'agent/job-commands/in-a-job-story',
  'agent/checkout-story',
  'replicas/kill',
  'server/fuzz',
  'server/serve',
  'parity/refusals',
  'rest/real-pipelines',
];
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

export default defineConfig({
  // The order in which Node looks for the file of a package: graphql exists as .mjs too, and must not be loaded twice.
  resolve: { extensions: ['.js', '.mjs', '.ts', '.json'] },
  test: {
    include: ['test/**/*.test.ts'],
    globals: true,
    // Modules are loaded once a worker, as a server loads them, and not once for each test file: a test may not count
    // on modules without a past, and makes itself what it needs new (docs/decisions/0009-test-runner.md).
    pool: 'forks',
    isolate: false,
    maxWorkers: Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / memoryOfWorker))),
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    forceRerunTriggers: ['**/package-lock.json', '**/vitest.config.js', '**/tsconfig*.json', '**/import-law.json'],
  },
});
