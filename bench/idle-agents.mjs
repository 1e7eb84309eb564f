// What agents without work cost, and how soon they have a job that becomes ready, over streams and by polling:
// DATABASE_URL=… node bench/idle-agents.mjs (after a build). AGENTS (500), IDLE_SECONDS (20), BUILDS (30, of five jobs).
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  encodeStreamRequest,
  decodeStreamMessage,
  frame,
  FrameReader,
  streamPingsPath,
} from '../dist/domain/agents/stream-messages.js';
import {
  call,
  callOk,
  cpuMilliseconds,
  ids,
  registrationToken,
  seedOrganization,
  startProduct,
  withDatabase,
} from './support.mjs';

const number = (name, usual) => Number(process.env[name] ?? usual);
const agentsCount = number('AGENTS', 500);
const idleSeconds = number('IDLE_SECONDS', 20);
const builds = number('BUILDS', 30);
const pingEveryMs = 2_000;
const heartbeatEveryMs = 30_000;

async function run(database, mode) {
  const { pool } = database;
  await seedOrganization(pool);
  const product = await startProduct(database);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const loops = [];
  try {
    const agents = await registerAll(product.url);
    const heard = new Map();
    for (const agent of agents) {
      loops.push(
        every(heartbeatEveryMs, stop.signal, () =>
          call(`${product.url}/v3/heartbeat`, { method: 'POST', token: agent.token, body: {} }),
        ),
      );
      const onJob = (job) => heard.get(job) ?? heard.set(job, Date.now());
      if (mode === 'stream') loops.push(stream(product.url, agent, stop.signal, onJob));
      else loops.push(every(pingEveryMs, stop.signal, () => ping(product.url, agent, onJob)));
    }
    // Everybody has asked once.
    await sleep(2 * pingEveryMs);
    const before = await cpu(product, pool);
    const start = performance.now();
    await sleep(idleSeconds * 1000);
    const after = await cpu(product, pool);
    const elapsed = performance.now() - start;
    for (let made = 0; made < builds; made += 1) {
      await callOk(`${product.url}/v2/organizations/bench/pipelines/app/builds`, {
        method: 'POST',
        body: { commit: 'HEAD', branch: 'main', message: `Build ${made}` },
      });
      await sleep(50 + Math.random() * 100);
    }
    const deadline = Date.now() + 20_000;
    while (heard.size < Math.min(builds * 5, agentsCount) && Date.now() < deadline) await sleep(100);
    const { rows } = await pool.query(
      `select id, runnable_at, extract(epoch from assigned_at - runnable_at) * 1000 as waited from jobs where cluster_queue_id = $1 and assigned_at is not null and attempt = 1`,
      [ids.queue],
    );
    const waited = rows.map((row) => Number(row.waited)).sort((a, b) => a - b);
    const told = rows
      .flatMap((row) => (heard.has(row.id) ? [heard.get(row.id) - row.runnable_at.getTime()] : []))
      .sort((a, b) => a - b);
    console.log(
      JSON.stringify({
        bench: 'idle agents',
        path: mode,
        agents: agentsCount,
        server_cores: cores(before.server, after.server, elapsed),
        database_cores: after.database === null ? null : cores(before.database, after.database, elapsed),
        jobs: rows.length,
        ready_to_assigned_ms: { p50: quantile(waited, 0.5), p99: quantile(waited, 0.99) },
        ready_to_heard_ms: { p50: quantile(told, 0.5), p99: quantile(told, 0.99) },
      }),
    );
  } finally {
    stop.abort();
    await Promise.allSettled(loops);
    await product.stop();
  }
}

async function registerAll(url) {
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

/** CPU milliseconds of the server, and of the database's processes if they run on this machine. */
async function cpu(product, pool) {
  const { rows } = await pool.query(`select pid from pg_stat_activity where datname = current_database()`);
  const used = rows.map(({ pid }) => {
    try {
      return /postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? cpuMilliseconds(pid) : null;
    } catch {
      return null;
    }
  });
  return {
    server: cpuMilliseconds(product.pid),
    database: used.includes(null) ? null : used.reduce((a, b) => a + b, 0),
  };
}

const cores = (before, after, elapsed) => +((after - before) / elapsed).toFixed(3);
const quantile = (sorted, part) =>
  sorted.length === 0 ? null : Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]);

for (const mode of process.env.MODE ? [process.env.MODE] : ['stream', 'poll'])
  await withDatabase((database) => run(database, mode));
