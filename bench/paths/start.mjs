// Time to /healthz, and memory when idle.
import { setTimeout as sleep } from 'node:timers/promises';
import { callOk, graphqlOk, median } from '../harness/load.mjs';
import { residentMegabytes } from '../harness/processes.mjs';
import { startProduct } from '../harness/product.mjs';
import { withEmbedded } from '../harness/seeds.mjs';

async function measure(bench, database, report) {
  const starts = [];
  let product;
  for (let round = 0; round < bench.rounds; round += 1) {
    if (product) await product.stop();
    product = await startProduct(database);
    starts.push(product);
  }
  try {
    await sleep(10_000);
    const idle = residentMegabytes(product.pid);
    await graphqlOk(`${product.url}/graphql`, '{ viewer { user { name } } }');
    await callOk(`${product.url}/v2/organizations/bench/pipelines`);
    await sleep(2000);
    const ms = starts.map(({ startedMs }) => startedMs);
    report({
      figure: `${Math.round(median(ms))} ms (${Math.round(Math.min(...ms))} to ${Math.round(Math.max(...ms))}); ${Math.round(idle)} MB after 10 s, ${Math.round(residentMegabytes(product.pid))} MB after a request of each door`,
      server_cpu_ms: median(starts.map(({ startedCpuMs }) => startedCpuMs)),
      rss_mb: idle,
    });
  } finally {
    await product.stop();
  }
}

export const paths = [
  {
    name: 'start',
    title: 'Start to /healthz, and idle memory',
    async run(bench, report) {
      await bench.seeds.copied('empty', (database) =>
        measure(bench, database, (row) => report({ what: 'PostgreSQL', reach: '1.0 s, 120 MB', ...row })),
      );
      await withEmbedded((database) =>
        measure(bench, database, (row) => report({ what: 'embedded database', reach: '300 MB', ...row })),
      );
    },
  },
];
