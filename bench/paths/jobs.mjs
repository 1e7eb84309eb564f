// Jobs from the ping that offers them to their end.
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { compare, measureAlone } from '../harness/compare.mjs';
import { connectAgents, lifecycle } from '../harness/agents.mjs';
import { callOk, percentile } from '../harness/load.mjs';
import { ids, stepsOf } from '../harness/organization.mjs';
import { startOther, startProduct } from '../harness/product.mjs';
import { withEmbedded } from '../harness/seeds.mjs';

const claim = `update jobs set state = 'running', attempt = attempt + 1, started_at = now() where id = (
  select id from jobs where organization_id = $1 and cluster_queue_id = $2 and state = 'scheduled' and type = 'command'
  order by priority desc, scheduled_at, position, id for update skip locked limit 1) returning *`;

/** Rounds of claims that are not counted: a p99 of a few hundred would be that of code which runs for the first time. */
const warmUpRounds = 8;

async function measureEmbedded(bench, report) {
  await withEmbedded(async (database) => {
    const product = await startProduct(database);
    try {
      // The round that warms up takes jobs too.
      await fillQueue(product.url, 100 * (bench.rounds + 1));
      const agents = await connectAgents(product.url, 50);
      const ours = { ...product.contender, step: (loop) => lifecycle(agents[loop]) };
      const figures = await measureAlone({ bench, ours, loops: 50, ms: 2000 });
      report({ what: 'embedded database', reach: '100/s', ...figures });
    } finally {
      await product.stop();
    }
  });
}

/** Builds with as many jobs as five-step builds hold; a thousand jobs are enough for a few seconds. */
async function fillQueue(url, builds) {
  await callOk(`${url}/v2/organizations/bench/pipelines/app`, {
    method: 'PATCH',
    body: { configuration: stepsOf(100) },
  });
  for (let n = 0; n < Math.ceil(builds / 20); n += 1)
    await callOk(`${url}/v2/organizations/bench/pipelines/app/builds`, {
      method: 'POST',
      body: { commit: 'HEAD', branch: 'main', message: 'Many jobs' },
    });
}

export const paths = [
  {
    name: 'lifecycle',
    peers: true,
    title: 'A job: ping, accept, start, three chunks, finish; 50 agents',
    async run(bench, report) {
      await bench.seeds.copied('queued', async (database) => {
        const product = await startProduct(database);
        const peer = await startOther(new URL('../peers/graphile-worker.mjs', import.meta.url), database);
        try {
          const agents = await connectAgents(product.url, 50);
          const ours = { ...product.contender, step: (loop) => lifecycle(agents[loop]) };
          const other = { ...peer.contender, step: () => callOk(`${peer.url}/`, { method: 'POST' }) };
          const figures = await compare({ bench, ours, other, loops: 50, ms: 2000 });
          report({
            beside: 'graphile-worker',
            reach: '300/s, 20 statements',
            figure: `${figures.per_second.toFixed(1)}/s`,
            ...figures,
          });
        } finally {
          await peer.stop();
          await product.stop();
        }
      });
      await measureEmbedded(bench, report);
    },
  },
  {
    name: 'claim',
    title: 'A ping that assigns one of 100,000 jobs; 8 agents',
    async run(bench, report) {
      await bench.seeds.copied('queued', async (database) => {
        const product = await startProduct(database);
        const pool = new pg.Pool({ connectionString: database.url, max: 8 });
        try {
          const agents = await connectAgents(product.url, 8);
          const latencies = { ours: [], floor: [] };
          const timed = async (name, work) => {
            const start = performance.now();
            const result = await work();
            latencies[name].push(performance.now() - start);
            return result;
          };
          for (let round = -warmUpRounds; round < bench.rounds * 8; round += 1) {
            if (round === 0) for (const times of Object.values(latencies)) times.length = 0;
            await Promise.all(
              agents.map(async (agent) => {
                const { job } = await timed('ours', () => agent.ping());
                if (!job) return latencies.ours.pop();
                const accepted = await agent.accept(job.id);
                await accepted.start();
                await accepted.finish();
              }),
            );
            await Promise.all(
              agents.map(() =>
                timed('floor', () => pool.query({ name: 'claim', text: claim, values: [ids.organization, ids.queue] })),
              ),
            );
          }
          const [ours, floor] = [latencies.ours, latencies.floor].map((times) => ({
            p50: percentile(times, 0.5),
            p99: percentile(times, 0.99),
          }));
          report({
            connections: 8,
            beside: 'one claiming statement (p99)',
            ratio: floor.p99 / ours.p99,
            figure: `p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms`,
            ours,
            floor,
            reach: 'p99 20 ms',
          });
        } finally {
          await pool.end();
          await product.stop();
        }
      });
    },
  },
];
