// Webhooks: deliveries of pushes that become builds, and notifications that leave.
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, callOk, percentile } from '../harness/load.mjs';
import { cpuOf, residentMegabytes } from '../harness/processes.mjs';
import { startProduct } from '../harness/product.mjs';

const builds = (url) => `${url}/v2/organizations/bench/pipelines/app/builds`;

async function inLoops(count, loops, step) {
  let next = 0;
  await Promise.all(
    Array.from({ length: loops }, async () => {
      while (next < count) {
        next += 1;
        await step(next);
      }
    }),
  );
}

/** Posts one push as GitHub does. */
async function deliver(url, number) {
  const commit = createHash('sha1').update(String(number)).digest('hex');
  const { status, text } = await call(`${url}/webhooks/deliver/bench-webhook`, {
    method: 'POST',
    token: null,
    headers: { 'x-github-event': 'push', 'x-github-delivery': randomUUID() },
    body: {
      ref: `refs/heads/feature-${number}`,
      before: '0'.repeat(40),
      after: commit,
      deleted: false,
      head_commit: { id: commit, message: 'A push', author: { name: 'Ada', email: 'ada@example.com' } },
      repository: { full_name: 'bench/app' },
    },
  });
  if (status >= 300) throw new Error(`a delivery was answered ${status} ${text.slice(0, 300)}`);
}

export const paths = [
  {
    name: 'webhooks-in',
    title: 'Deliveries of pushes until their builds are there',
    async run(bench, report) {
      await bench.seeds.copied('empty', async (database) => {
        await database.pool.query(`update pipelines set provider_id = 'github'`);
        const product = await startProduct(database);
        try {
          const built = async () => Number((await database.pool.query('select count(*) from builds')).rows[0].count);
          const count = 40 * bench.rounds;
          await inLoops(20, 8, (number) => deliver(product.url, -number));
          while ((await built()) < 20) await sleep(50);
          const start = performance.now();
          const before = {
            cpu: cpuOf(product.pid),
            database: bench.postgres.cpuMs(),
            statements: await bench.postgres.statements(database.name),
          };
          await inLoops(count, 8, (number) => deliver(product.url, number));
          for (let waited = 0; (await built()) < 20 + count; waited += 50) {
            if (waited > 60_000) throw new Error(`${await built()} builds of ${20 + count} after a minute`);
            await sleep(50);
          }
          report({
            connections: 8,
            per_second: (count * 1000) / (performance.now() - start),
            server_cpu_ms: (cpuOf(product.pid) - before.cpu) / count,
            database_cpu_ms: (bench.postgres.cpuMs() - before.database) / count,
            statements: ((await bench.postgres.statements(database.name)) - before.statements) / count,
            rss_mb: residentMegabytes(product.pid),
            reach: '200/s',
          });
        } finally {
          await product.stop();
        }
      });
    },
  },
  {
    name: 'notifications-out',
    title: 'Notifications of builds that are created, to one receiver',
    async run(bench, report) {
      const arrivals = new Map();
      const receiver = createServer(async (asked, response) => {
        const pieces = [];
        for await (const piece of asked) pieces.push(piece);
        response.writeHead(200).end();
        const { event, build } = JSON.parse(Buffer.concat(pieces));
        if (event === 'build.scheduled') arrivals.set(build.id, performance.now());
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      try {
        await bench.seeds.copied('empty', async (database) => {
          const product = await startProduct(database, { environment: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
          try {
            await callOk(`${product.url}/v2/organizations/bench/services`, {
              method: 'POST',
              body: {
                provider: 'webhook',
                description: 'Bench',
                settings: { url: `http://127.0.0.1:${receiver.address().port}/`, events: ['build.scheduled'] },
              },
            });
            const created = new Map();
            const count = 40 * bench.rounds;
            const start = performance.now();
            const cpu = [cpuOf(product.pid), bench.postgres.cpuMs()];
            await inLoops(count, 8, async () => {
              const build = await callOk(builds(product.url), {
                method: 'POST',
                body: { commit: 'HEAD', branch: 'main', message: 'Tell' },
              });
              created.set(build.id, performance.now());
            });
            for (let waited = 0; arrivals.size < count; waited += 50) {
              if (waited > 60_000) throw new Error(`${arrivals.size} notifications of ${count} after a minute`);
              await sleep(50);
            }
            const rate = (count * 1000) / (performance.now() - start);
            const late = [...created].map(([id, at]) => Math.max(0, arrivals.get(id) - at));
            report({
              figure: `${rate.toFixed(1)}/s, as fast as builds were created; p50 ${percentile(late, 0.5).toFixed(0)} ms, p99 ${percentile(late, 0.99).toFixed(0)} ms late`,
              server_cpu_ms: (cpuOf(product.pid) - cpu[0]) / count,
              database_cpu_ms: (bench.postgres.cpuMs() - cpu[1]) / count,
              rss_mb: residentMegabytes(product.pid),
              reach: '500/s, 0.2 s late',
            });
          } finally {
            await product.stop();
          }
        });
      } finally {
        receiver.close();
        receiver.closeAllConnections();
      }
    },
  },
];
