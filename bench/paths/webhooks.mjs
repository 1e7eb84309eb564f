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
          const count = 100 * bench.rounds;
          // As much as other paths warm up: what a new process compiles would be most of what is measured.
          const warming = 200;
          await inLoops(warming, 8, (number) => deliver(product.url, -number));
          while ((await built()) < warming) await sleep(50);
          const start = performance.now();
          const before = {
            cpu: cpuOf(product.pid),
            database: bench.postgres.cpuMs(),
            statements: await bench.postgres.statements(database.name),
          };
          await inLoops(count, 8, (number) => deliver(product.url, number));
          for (let waited = 0; (await built()) < warming + count; waited += 50) {
            if (waited > 60_000) throw new Error(`${await built()} builds of ${warming + count} after a minute`);
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
    title: 'Notifications to one receiver',
    async run(bench, report) {
      const arrivals = [];
      const receiver = createServer(async (asked, response) => {
        const pieces = [];
        for await (const piece of asked) pieces.push(piece);
        response.writeHead(200).end();
        const { event, build } = JSON.parse(Buffer.concat(pieces));
        if (event === 'build.scheduled') arrivals.push({ build: build.id, at: performance.now() });
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
            const figures = { bench, database, product, arrivals };
            report({ what: 'of builds created one by one', ...(await oneByOne(figures)), reach: '0.2 s late' });
            report({ what: 'a backlog, a build each', ...(await backlog(figures)), reach: '500/s' });
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

async function until(what, condition) {
  for (let waited = 0; !(await condition()); waited += 5) {
    if (waited > 60_000) throw new Error(`${what} did not come within a minute`);
    await sleep(5);
  }
}

/** How late a notification is when nothing else is under way. */
async function oneByOne({ bench, product, arrivals }) {
  const late = [];
  for (let round = 0; round < 6 * bench.rounds; round += 1) {
    arrivals.length = 0;
    await callOk(builds(product.url), {
      method: 'POST',
      body: { commit: 'HEAD', branch: 'main', message: 'Tell' },
    });
    const created = performance.now();
    await until('a notification', () => arrivals.length > 0);
    late.push(Math.max(0, arrivals[0].at - created));
    await sleep(100 * Math.random());
  }
  return { figure: `p50 ${percentile(late, 0.5).toFixed(0)} ms, p99 ${percentile(late, 0.99).toFixed(0)} ms late` };
}

/** How fast deliveries leave that are due at once: copies of one that was sent, about as many builds. */
async function backlog({ bench, database, product, arrivals }) {
  const count = 500 * bench.rounds;
  arrivals.length = 0;
  const before = [cpuOf(product.pid), bench.postgres.cpuMs(), await bench.postgres.statements(database.name)];
  await database.pool.query(
    `insert into notification_deliveries (id, organization_id, service_id, notification_id, url, receiver, order_key,
       sequence, state, next_attempt_at, created_at)
     select gen_random_uuid(), organization_id, service_id, notification_id, url, receiver, 'copy-' || n, sequence,
       'pending', now(), now()
     from (select * from notification_deliveries order by id desc limit 1) as sent, generate_series(1, $1) as n`,
    [count],
  );
  await until('the first notification', () => arrivals.length > 0);
  await until('the last notification', () => arrivals.length >= count);
  const first = arrivals[0].at;
  return {
    per_second: ((count - 1) * 1000) / (arrivals.at(-1).at - first),
    server_cpu_ms: (cpuOf(product.pid) - before[0]) / count,
    database_cpu_ms: (bench.postgres.cpuMs() - before[1]) / count,
    statements: ((await bench.postgres.statements(database.name)) - before[2]) / count,
    rss_mb: residentMegabytes(product.pid),
  };
}
