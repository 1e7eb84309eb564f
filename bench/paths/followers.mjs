// 1,000 followers of one build over WebSockets: how late an event reaches them.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { connectAgents } from '../harness/agents.mjs';
import { callOk, percentile } from '../harness/load.mjs';
import { hashToken } from '../../dist/auth/secrets.js';
import { ids } from '../harness/organization.mjs';
import { cpuOf, residentMegabytes } from '../harness/processes.mjs';
import { startProduct } from '../harness/product.mjs';

const query = `subscription($id: ID!) { build(id: $id) { event { __typename } build { state message metaData(first: 50) { edges { node { key value } } } } } }`;
const jobs = 3;
/** A user has at most 500 subscriptions at a time. */
const perUser = 250;

/** Tokens of as many administrators more as the followers need. */
async function addFollowers(pool, count) {
  for (let n = 0; n < count; n += 1) {
    const [user, member, token] = [0, 1, 2].map(() => randomUUID());
    await pool.query(
      `insert into users select (jsonb_populate_record(u, jsonb_build_object('id', $1::text, 'email', 'follower' || $2 || '@example.com'))).* from users u where u.id = $3`,
      [user, n, ids.user],
    );
    await pool.query(
      `insert into organization_members select (jsonb_populate_record(m, jsonb_build_object('id', $1::text, 'user_id', $2::text))).* from organization_members m where m.user_id = $3`,
      [member, user, ids.user],
    );
    await pool.query(
      `insert into api_tokens select (jsonb_populate_record(t, jsonb_build_object('id', $1::text, 'user_id', $2::text, 'token_hash', $3::text))).* from api_tokens t where t.id = $4`,
      [token, user, hashToken(tokenOf(n)), ids.token],
    );
  }
}
const tokenOf = (n) => `bkua_bench_token_of_follower_${n}`;

export const paths = [
  {
    name: 'followers',
    title: '1,000 followers of one build',
    async run(bench, report) {
      await bench.seeds.copied('empty', async (database) => {
        const product = await startProduct(database);
        const clients = [];
        try {
          const builds = `${product.url}/v2/organizations/bench/pipelines/app/builds`;
          const build = await callOk(builds, {
            method: 'POST',
            body: { commit: 'HEAD', branch: 'main', message: 'Follow' },
          });
          const before = residentMegabytes(product.pid);
          const arrivals = [];
          let failed = null;
          const follow = (document, token) => {
            const client = createClient({
              url: `${product.url.replace('http', 'ws')}/graphql`,
              webSocketImpl: WebSocket,
              connectionParams: { token },
              retryAttempts: 3,
            });
            clients.push(client);
            client.subscribe(
              { query: document, variables: { id: build.id } },
              {
                next: ({ errors }) => {
                  if (errors) failed = errors;
                  arrivals.push(performance.now());
                },
                error: (error) => (failed = error),
                complete: () => undefined,
              },
            );
          };
          const followers = Math.round(1000 * bench.scale);
          await addFollowers(database.pool, Math.ceil(followers / perUser));
          for (let n = 0; n < followers; n += 1) {
            follow(query, tokenOf(Math.floor(n / perUser)));
            if (n % 50 === 0) await sleep(20);
          }
          /** Waits until everybody has a message, a minute at most, and then until no more come. */
          const told = async () => {
            for (let waited = 0; arrivals.length < followers && waited < 60_000; waited += 50) await sleep(50);
            for (let seen = -1; seen !== arrivals.length;) {
              seen = arrivals.length;
              await sleep(500);
            }
          };
          // The first message of each says where it begins.
          await told();
          const [agent] = await connectAgents(product.url, 1);
          const cost = { server: 0, database: 0 };
          const late = [];
          for (let n = 0; n < jobs; n += 1) {
            arrivals.length = 0;
            const job = await agent.takeJob();
            await told();
            for (const change of [job.start, job.finish]) {
              const cpu = [cpuOf(product.pid), bench.postgres.cpuMs()];
              arrivals.length = 0;
              const changedAt = performance.now();
              await change();
              await told();
              late.push(...arrivals.map((arrivedAt) => arrivedAt - changedAt));
              cost.server += cpuOf(product.pid) - cpu[0];
              cost.database += bench.postgres.cpuMs() - cpu[1];
            }
          }
          if (failed) throw new Error(JSON.stringify(failed).slice(0, 500));
          report({
            connections: followers,
            figure: `${late.length} messages; p50 ${percentile(late, 0.5)?.toFixed(0)} ms, p99 ${percentile(late, 0.99)?.toFixed(0)} ms late; ${(((residentMegabytes(product.pid) - before) * 1024) / followers).toFixed(0)} KB a follower`,
            server_cpu_ms: cost.server / late.length,
            database_cpu_ms: cost.database / late.length,
            rss_mb: residentMegabytes(product.pid),
            reach: 'p99 1 s, 20 KB',
          });
        } finally {
          for (const client of clients) void client.dispose();
          await product.stop();
        }
      });
    },
  },
];
