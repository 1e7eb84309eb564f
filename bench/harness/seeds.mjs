// Databases that the benches start from. Each is filled once and kept until the schema, this file or the scale changes;
// a bench that writes works on a copy.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { migrateByProgram } from './product.mjs';
import { ids, seedOrganization, stepsOf } from './organization.mjs';

/** SQL for an id as the product makes them: UUIDv7 of a running millisecond, with a tail that tells rows apart. */
const idAt = (millisecond, tail) =>
  `(lpad(to_hex(1730000000000 + (${millisecond})::bigint), 12, '0') || '7' || '000' || '8000' || lpad(to_hex(${tail}), 12, '0'))::uuid`;
const at = (n, every = '1 minute') => `timestamptz '2026-01-01' + (${n}) * interval '${every}'`;

const logBytes = 400;
const log = 'a line of a log that says what a step does\n'.repeat(10).slice(0, logBytes);
/** What is stored of the log of a job of history: a gzip, as the server stores it, under a key with the digest of the log. */
export const storedLog = gzipSync(log);
const storedName = `log/chunks/000000000000-1-${createHash('sha256').update(log).digest('hex').slice(0, 32)}.gz`;

/** What the databases hold, by name; `scale` multiplies the number of builds. */
const contents = {
  /** An organization and nothing else. */
  empty: () => Promise.resolve(),
  /**
   * Pages to read: 20,000 builds of five jobs in `app`, run by 50 agents; 29 pipelines more with 20 builds of 20 jobs each; and
   * `wide` with one build of 100 jobs.
   */
  pages: async (pool, scale) => {
    await addAgents(pool, 50);
    await addBuilds(pool, { pipeline: `slug = 'app'`, builds: 20_000 * scale, jobs: 5, offset: 0 });
    await addPipelines(pool, 'service', 28);
    await addBuilds(pool, { pipeline: `slug like 'service-%'`, builds: 20, jobs: 20, offset: 100_000_000 });
    await addPipelines(pool, 'wide', 1);
    await addBuilds(pool, { pipeline: `slug = 'wide-1'`, builds: 1, jobs: 100, offset: 200_000_000 });
  },
  /** The filters of lists, over few builds … */
  'filters-small': (pool, scale) => addFiltered(pool, 20_000 * scale),
  /** … and over many. */
  'filters-large': (pool, scale) => addFiltered(pool, 1_000_000 * scale),
  /** 100,000 jobs that wait for an agent. */
  queued: (pool, scale) =>
    addBuilds(pool, { pipeline: `slug = 'app'`, builds: 20_000 * scale, jobs: 5, offset: 0, waiting: true }),
  /** 100,000 builds of ten weeks of last winter, of a job with four events and a log each, whose bytes the bench stores itself. */
  history: async (pool, scale) => {
    const every = `${60 / Math.max(1, scale)} seconds`;
    const builds = 100_000 * scale;
    await addAgents(pool, 50);
    await addBuilds(pool, { pipeline: `slug = 'app'`, builds, jobs: 1, offset: 0, every, history: true });
    await pool.query(`insert into events (id, organization_id, subject, subject_id, pipeline_id, build_id, job_id, type, to_state, actor_type, sequence, created_at)
      select gen_random_uuid(), organization_id, 'job', id, pipeline_id, build_id, id, 'job.' || e, case s when 4 then state else e end, 'agent', s, created_at
      from jobs, unnest(array['scheduled', 'assigned', 'running', 'finished']) with ordinality as u(e, s)`);
    await pool.query(`insert into log_chunks (job_id, sequence, organization_id, start_offset, size, stored_key, stored_size)
      select id, 1, organization_id, 0, ${logBytes}, 'organizations/' || organization_id || '/builds/' || build_id || '/jobs/' || id || '/${storedName}', ${storedLog.length} from jobs`);
    await pool.query(
      `insert into log_usage (job_id, organization_id, entries, bytes) select id, organization_id, 1, ${logBytes} from jobs`,
    );
  },
  /** 1,000,000 builds of the year until now in ten pipelines, of a job each, which waited and ran for uneven times. */
  year: (pool, scale) => addYear(pool, 1_000_000 * scale),
};

/** Fills an embedded database with the year too. */
export async function seedYear(pool, builds) {
  await seedOrganization(pool);
  await addYear(pool, builds);
}

async function addYear(pool, builds) {
  await addPipelines(pool, 'service', 9);
  const begin = Date.now() - 366 * 86_400_000;
  const everyMs = Math.floor((366 * 86_400_000) / builds);
  const ms = `(${begin}::bigint + n * ${everyMs}::bigint)`;
  const id = (tail) =>
    `(lpad(to_hex(${ms}), 12, '0') || '7' || '000' || '8000' || lpad(to_hex(${tail}), 12, '0'))::uuid`;
  const created = `to_timestamp(${ms} / 1000.0)::timestamptz(3)`;
  const share = (what) => `(('x' || substr(md5(n || '${what}'), 1, 7))::bit(28)::bigint / 268435456.0)`;
  const assigned = `${created} + (power(600, ${share('wait')}) * 1000)::int * interval '1 millisecond'`;
  const started = `${created} + interval '600 seconds'`;
  const finished = `${started} + (power(3000, ${share('run')}) * 1000)::int * interval '1 millisecond'`;
  const pipeline = `(p.ids)[1 + n % cardinality(p.ids)]`;
  const of = `(select array_agg(id order by slug) as ids from pipelines) p, generate_series(0, ${builds - 1}) n`;
  await pool.query(`insert into builds (id, organization_id, pipeline_id, number, state, message, commit, branch, source, creator_id, created_at, scheduled_at, started_at, finished_at)
    select ${id(0)}, '${ids.organization}', ${pipeline}, n + 1, case when n % 7 = 0 then 'failed' else 'passed' end, 'Change ' || n, md5(n::text), case when n % 3 = 0 then 'main' else 'feature-' || (n * 31 % 40) end, 'api', '${ids.user}',
      ${created}, ${created}, ${started}, ${finished} from ${of}`);
  await pool.query(`insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
    select ${id(2)}, '${ids.organization}', ${id(0)}, 'command', 'Test ' || n % 5, 1, '{"type": "command"}', ${created} from ${of}`);
  await pool.query(`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, label, command, cluster_id, cluster_queue_id, created_at, scheduled_at, runnable_at, assigned_at, started_at, finished_at)
    select ${id(1)}, '${ids.organization}', ${pipeline}, ${id(0)}, ${id(2)}, 'command', 1, 'finished', n % 7 <> 0, 'Test ' || n % 5, 'make test', '${ids.cluster}', '${ids.queue}',
      ${created}, ${created}, ${created}, ${assigned}, ${started}, ${finished} from ${of}`);
}

async function addFiltered(pool, builds) {
  await addAgents(pool, 50);
  await addPipelines(pool, 'service', 19);
  const each = Math.ceil(builds / 20);
  await addBuilds(pool, { pipeline: 'true', builds: each, jobs: 1, offset: 0, states: true });
}

async function addPipelines(pool, name, count) {
  await pool.query(
    `insert into pipelines select (jsonb_populate_record(p, jsonb_build_object('id', ${idAt('100000 + n', `ascii('${name}')`)}, 'slug', '${name}-' || n, 'name', '${name} ' || n,
      'webhook_token', '${name}-' || n, 'webhook_token_hash', 'webhook ${name} ' || n, 'badge_token', '${name}-' || n, 'badge_token_hash', 'badge ${name} ' || n))).*
    from pipelines p, generate_series(1, ${count}) n where p.id = $1`,
    [ids.pipeline],
  );
}

async function addAgents(pool, count) {
  await pool.query(
    `insert into agents (id, organization_id, cluster_id, cluster_queue_id, agent_token_id, session_token_hash, name, hostname, ip_address, version, user_agent, features, meta_data, priority, connection_state, created_at, connected_at, heartbeat_at)
    select ${idAt('n', '1000')}, $1, $2, $3, $4, 'hash ' || n, 'agent-' || n, 'host-' || n, '10.0.0.' || n, '3.100.0', 'buildkite-agent/3.100.0', '{}', '{queue=default,os=linux}', 0, 'disconnected', now(), now(), now()
    from generate_series(1, ${count}) n`,
    [ids.organization, ids.cluster, ids.queue, ids.agentToken],
  );
}

/** Builds with jobs in every pipeline that the condition names, at times that run from build to build and pipeline to pipeline. */
async function addBuilds(
  pool,
  { pipeline, builds, jobs, offset, waiting = false, states = false, every, history = false },
) {
  const { readDocument } = await import('../../dist/domain/pipelines/steps/document.js');
  const { parsePipeline } = await import('../../dist/domain/pipelines/steps/parse.js');
  const { parseOptions } = await import('../../dist/domain/pipelines/steps/configuration.js');
  const { steps } = parsePipeline(readDocument(stepsOf(1)).document, parseOptions).definition;
  const of = `(select p.id as pipeline_id, n, ${offset} + (n - 1) * count(*) over (partition by n) + row_number() over (partition by n order by p.id) as time
    from pipelines p, generate_series(1, ${builds}) n where ${pipeline}) b`;
  const state = waiting
    ? `'scheduled'`
    : states || history
      ? `(array['passed','passed','passed','failed','canceled'])[1 + n % 5]`
      : `'passed'`;
  const time = at('time', every);
  const finished = waiting ? 'null' : time;
  await pool.query(`insert into builds (id, organization_id, pipeline_id, number, state, message, commit, branch, source, creator_id, event_sequence, failing, cancel_requested_at, created_at, scheduled_at, started_at, finished_at)
    select ${idAt('time', '0')}, '${ids.organization}', pipeline_id, n, ${state}, 'Change ' || n, md5(n::text) || 'abcdef01', case when n % 10 = 0 then 'main' else 'feature-' || n % 200 end, 'api', '${ids.user}', ${history ? 4 : 0},
      ${history ? `n % 5 >= 3, case n % 5 when 4 then ${time} end` : 'false, null'},
      ${time}, ${time}, ${finished}, ${finished} from ${of}`);
  // The jobs of history have ended as their builds have, with four events and a log, so that `slipway check` has nothing to say.
  const [jobState, passed, exitStatus] = waiting
    ? [`'scheduled'`, 'false', 'null']
    : history
      ? [`case n % 5 when 4 then 'canceled' else 'finished' end`, 'n % 5 < 3', '(array[0,0,0,1,null])[1 + n % 5]']
      : [`'finished'`, 'true', '0'];
  const agent = waiting ? 'null' : idAt('1 + time % 50', '1000');
  const rules = states
    ? `case when n % 500 = 0 then '{os=linux,gpu=true}'::text[] else '{os=linux}' end`
    : `'{}'::text[]`;
  const perJob = `${of}, generate_series(1, ${jobs}) j`;
  await pool.query(
    `insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
    select ${idAt('time', '1000 + j')}, '${ids.organization}', ${idAt('time', '0')}, 'command', 'Test ' || j, j, $1::jsonb, ${time} from ${perJob}`,
    [JSON.stringify(steps[0])],
  );
  await pool.query(`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, label, command, exit_status, agent_id, cluster_id, cluster_queue_id, agent_query_rules, log_size, created_at, scheduled_at, runnable_at, started_at, finished_at)
    select ${idAt('time', 'j')}, '${ids.organization}', pipeline_id, ${idAt('time', '0')}, ${idAt('time', '1000 + j')}, 'command', j, ${jobState}, ${passed}, 'Test ' || j, 'make test-' || j,
      ${exitStatus}, ${agent}, '${ids.cluster}', '${ids.queue}', ${rules}, ${history ? logBytes : 0}, ${time}, ${time}, ${time}, ${finished}, ${finished} from ${perJob}`);
  await pool.query(
    `insert into build_meta_data (build_id, key, organization_id, value) select ${idAt('time', '0')}, 'release', '${ids.organization}', 'v' || n from ${of} where n % 4 = 0`,
  );
  await pool.query(`update pipelines p set next_build_number = $1 where ${pipeline}`, [builds + 1]);
}

/**
 * The databases of one run: kept ones by name, copies that are dropped after `work`. Unless `keeps`, what would be copied is
 * filled for `work` alone, so that the server never holds it twice, and databases of other runs are left alone.
 */
export function openSeeds({ postgres, directory, scale, keeps = true }) {
  // The server may also have been given other databases by an earlier checkout; what it holds is in the name.
  const hash = createHash('sha256')
    .update(readFileSync(new URL(import.meta.url)))
    .update(
      readdirSync(new URL('../../dist/migrations/', import.meta.url))
        .sort()
        .join(),
    )
    .digest('hex')
    .slice(0, 8);
  const nameOf = (kind) => `seed_${hash}_${String(scale).replace('.', '_')}_${kind.replaceAll('-', '_')}`;
  // Each database has a storage of its own: a server refuses the storage of another installation.
  const filesOf = (name) => join(directory, 'files', name);
  const databaseOf = (name) => ({ kind: 'postgres', name, url: postgres.urlOf(name), directory: filesOf(name) });
  const drop = async (name) => {
    await postgres.drop(name);
    rmSync(filesOf(name), { recursive: true, force: true });
  };

  const fill = async (kind, name) => {
    console.error(`Filling the database "${kind}" …`);
    await postgres.create(name);
    migrateByProgram(databaseOf(name));
    const pool = new pg.Pool({ connectionString: postgres.urlOf(name), max: 1 });
    try {
      await seedOrganization(pool);
      await contents[kind](pool, scale);
      await pool.query('vacuum analyze');
    } finally {
      await pool.end();
    }
  };

  const seeded = async (kind) => {
    const name = nameOf(kind);
    const existing = await postgres.databases();
    const stale = existing.filter(
      (other) => /^(seed_|copy_|filling_)/.test(other) && !other.startsWith(`seed_${hash}_`),
    );
    for (const other of stale) await drop(other);
    if (existing.includes(name)) return databaseOf(name);
    const filling = `filling_${kind.replaceAll('-', '_')}`;
    await drop(filling);
    await fill(kind, filling);
    await postgres.rename(filling, name);
    return databaseOf(name);
  };

  return {
    /** The database itself, to be read only. */
    seeded,
    /** Runs `work` on a copy of it, with a pool for what a bench writes itself. */
    async copied(kind, work) {
      const name = `copy_${process.pid}_${kind.replaceAll('-', '_')}`;
      if (keeps) await postgres.create(name, (await seeded(kind)).name);
      else await fill(kind, name);
      const own = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
      const pool = new pg.Pool({ connectionString: postgres.urlOf(name), max: 8 });
      // The pool reports connections that the drop cuts.
      pool.on('error', () => undefined);
      try {
        return await work({ kind: 'postgres', name, url: postgres.urlOf(name), directory: own, pool });
      } finally {
        await pool.end();
        await postgres.drop(name);
        rmSync(own, { recursive: true, force: true });
      }
    },
  };
}

/** Runs `work` with a new embedded database in a directory of its own; `fill` writes to it while no server has it open. */
export async function withEmbedded(work, fill = seedOrganization) {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  try {
    const { openDatabase } = await import('../../dist/database/open.js');
    const { migrate } = await import('../../dist/database/migrate.js');
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create({ dataDir: join(directory, 'database') });
    const database = await openDatabase({ dataDir: directory, pglite });
    await migrate(database);
    await fill({ query: (text, values) => pglite.query(text, values) });
    await database.close();
    await pglite.close();
    return await work({ kind: 'embedded', directory });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
