// Agents without work, over streams and by polling: what they cost, and how soon they have a job that becomes ready.
import { setMaxListeners } from 'node:events';
import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  encodeStreamRequest,
  decodeStreamMessage,
  frame,
  FrameReader,
  streamPingsPath,
} from '../../dist/domain/agents/stream-messages.js';
import { call, callOk, percentile } from '../harness/load.mjs';
import { ids, registrationToken } from '../harness/organization.mjs';
import { cpuOf, residentMegabytes } from '../harness/processes.mjs';
import { startProduct } from '../harness/product.mjs';

const pingEveryMs = 2_000;
const heartbeatEveryMs = 30_000;
const idleMs = 15_000;
const builds = 30;

async function measure(bench, database, mode, agentsCount) {
  const product = await startProduct(database);
  const heard = new Set();
  const agents = await connectIdleAgents(product.url, { count: agentsCount, mode, onJob: (job) => heard.add(job) });
  try {
    // Everybody has asked once.
    await sleep(2 * pingEveryMs);
    const before = { server: cpuOf(product.pid), database: bench.postgres.cpuMs() };
    const start = performance.now();
    await sleep(idleMs);
    const elapsed = performance.now() - start;
    const server = (cpuOf(product.pid) - before.server) / elapsed;
    const ofDatabase = (bench.postgres.cpuMs() - before.database) / elapsed;
    for (let made = 0; made < builds; made += 1) {
      await callOk(`${product.url}/v2/organizations/bench/pipelines/app/builds`, {
        method: 'POST',
        body: { commit: 'HEAD', branch: 'main', message: `Build ${made}` },
      });
      await sleep(50 + Math.random() * 100);
    }
    for (let waited = 0; heard.size < Math.min(builds * 5, agentsCount) && waited < 20_000; waited += 100)
      await sleep(100);
    const { rows } = await database.pool.query(
      `select extract(epoch from assigned_at - runnable_at) * 1000 as waited from jobs where cluster_queue_id = $1 and assigned_at is not null and attempt = 1`,
      [ids.queue],
    );
    const waited = rows.map((row) => Number(row.waited));
    if (waited.length === 0) throw new Error('no job was assigned');
    return {
      figure: `${(server + ofDatabase).toFixed(2)} cores (server ${server.toFixed(2)}, database ${ofDatabase.toFixed(2)}); ready to assigned p50 ${percentile(waited, 0.5).toFixed(0)} ms, p99 ${percentile(waited, 0.99).toFixed(0)} ms (${waited.length} jobs)`,
      rss_mb: residentMegabytes(product.pid),
    };
  } finally {
    await agents.stop();
    await product.stop();
  }
}

/** Connects agents that wait for jobs, on streams or by polling, and send heartbeats. `stop` has them leave off. */
export async function connectIdleAgents(url, { count, mode, onJob = () => undefined }) {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const { signal } = stop;
  const loops = [];
  for (const agent of await registerAll(url, count)) {
    loops.push(
      every(heartbeatEveryMs, signal, () =>
        call(`${url}/v3/heartbeat`, { method: 'POST', token: agent.token, body: {} }),
      ),
    );
    if (mode === 'stream') loops.push(stream(url, agent, signal, onJob));
    else loops.push(every(pingEveryMs, signal, () => ping(url, agent, onJob)));
  }
  return {
    stop: async () => {
      stop.abort();
      await Promise.allSettled(loops);
    },
  };
}

async function registerAll(url, agentsCount) {
  const agents = [];
  const next = async () => {
    while (agents.length < agentsCount) {
      const agent = {};
      agents.push(agent);
      const registration = await callOk(`${url}/v3/register`, {
        method: 'POST',
        token: `Token ${registrationToken}`,
        body: {
          name: `agent-${agents.length}`,
          hostname: 'bench',
          os: 'linux',
          arch: 'amd64',
          version: '3.137.0',
          meta_data: ['queue=default'],
        },
      });
      Object.assign(agent, { id: registration.id, token: `Token ${registration.access_token}` });
      await callOk(`${url}/v3/connect`, { method: 'POST', token: agent.token });
    }
  };
  await Promise.all(Array.from({ length: 8 }, next));
  return agents;
}

/** Does something once an interval, the first time somewhere within it, until the signal. */
async function every(ms, signal, work) {
  await sleep(Math.random() * ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const start = Date.now();
    await work().catch(() => undefined);
    await sleep(Math.max(0, ms - (Date.now() - start)), undefined, { signal }).catch(() => undefined);
  }
}

/** Polls like an agent: one that was offered a job stays away, as if it ran it. */
async function ping(url, agent, onJob) {
  if (agent.busy) return;
  const { status, text } = await call(`${url}/v3/ping`, { token: agent.token });
  const job = status === 200 ? JSON.parse(text).job : null;
  if (!job) return;
  agent.busy = true;
  onJob(job.id);
}

/** Holds a stream open, and opens the next one when it ends. */
async function stream(url, agent, signal, onJob) {
  await sleep(Math.random() * 1_000);
  while (!signal.aborted) {
    await once(url, agent, signal, onJob).catch(() => undefined);
    await sleep(Math.random() * 1_000, undefined, { signal }).catch(() => undefined);
  }
}

function once(url, { id, token }, signal, onJob) {
  return new Promise((resolve, reject) => {
    const frames = new FrameReader(64 * 1024);
    const asked = request(
      `${url}${streamPingsPath}`,
      {
        method: 'POST',
        agent: false,
        signal,
        headers: { authorization: token, 'content-type': 'application/grpc', te: 'trailers' },
      },
      (reply) => {
        reply.on('data', (bytes) => {
          for (const message of frames.push(bytes)) {
            const { kind, jobId } = decodeStreamMessage(message) ?? {};
            if (kind === 'job') onJob(jobId);
          }
        });
        reply.on('close', resolve).on('error', resolve);
      },
    );
    asked.on('error', reject);
    asked.end(frame(encodeStreamRequest(id)));
  });
}

export const paths = [
  {
    name: 'idle-agents',
    title: 'Agents without work, and the first job',
    async run(bench, report) {
      const agents = Math.round(1000 * bench.scale);
      for (const [mode, what] of [
        ['stream', `${agents} on streams`],
        ['poll', `${agents} polling`],
      ])
        await bench.seeds.copied('empty', async (database) =>
          report({ what, reach: '0.1 cores, p99 100 ms', ...(await measure(bench, database, mode, agents)) }),
        );
    },
  },
];
