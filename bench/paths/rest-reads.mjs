// Pages of /v2 beside one statement that returns the same JSON, served by node:http.
import { compare } from '../harness/compare.mjs';
import { call, callOk } from '../harness/load.mjs';
import { startOther, startProduct } from '../harness/product.mjs';
import { assertSame } from '../harness/same.mjs';

const pages = [
  { name: 'rest-builds', title: 'REST, 30 builds with 150 jobs', path: '/v2/organizations/bench/pipelines/app/builds' },
  { name: 'rest-build', title: 'REST, a build of 100 jobs', path: '/v2/organizations/bench/pipelines/wide-1/builds/1' },
  { name: 'rest-pipelines', title: 'REST, 30 pipelines', path: '/v2/organizations/bench/pipelines' },
];

const startFloor = (database, product) =>
  startOther(new URL('../floors/rest-reads.mjs', import.meta.url), database, {
    environment: { PRODUCT_URL: product.url },
  });

async function compareReplies(path, product, floor) {
  assertSame(path, await callOk(product.url + path), await callOk(floor.url + path));
}

export const paths = pages.map(({ name, title, path }) => ({
  name,
  title,
  async check(bench) {
    const database = await bench.seeds.seeded('pages');
    const product = await startProduct(database);
    const floor = await startFloor(database, product);
    try {
      await compareReplies(path, product, floor);
    } finally {
      await floor.stop();
      await product.stop();
    }
  },
  async run(bench, report) {
    const database = await bench.seeds.seeded('pages');
    const product = await startProduct(database);
    // The same with nothing kept in memory.
    const cold = await startProduct(database, { environment: { REPLY_MEMORY_MB: '0' } });
    const floor = await startFloor(database, product);
    try {
      await compareReplies(path, product, floor);
      const other = { ...floor.contender, step: () => call(floor.url + path) };
      for (const [server, what] of [
        [product, ''],
        [cold, 'nothing kept'],
      ])
        for (const loops of [1, 16]) {
          const ours = { ...server.contender, step: () => call(server.url + path) };
          report({ what, beside: 'the floor', reach: '0.95', ...(await compare({ bench, ours, other, loops })) });
        }
    } finally {
      await floor.stop();
      await cold.stop();
      await product.stop();
    }
  },
}));
