import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { inLane } from '../../database/lanes.js';
import { finishedBuildStates } from '../../domain/builds/build-state.js';
import { sqlList } from '../../entities/sql-list.js';
import { Activity, type Ends } from '../../services/activity.js';
import type { Services } from '../../services/services.js';
import type { Tracer } from '../../tracing/tracing.js';
import { type EndedBuild, type EndedJob, spanOfBuild, spanOfJob } from './end-spans.js';

/** Pause between two reads, so that what ends in a moment is read together. */
const gapMs = 500;
const readAtOnce = 200;
/** Ids that wait to be read: beyond, what ends has no span. A build has at most some thousand jobs. */
const waitingAtMost = 20_000;

/**
 * Sends a span of each build and job that ends in this process to its tracer: after the commit, from the rows, and off
 * the way of whoever ended it. Spans are lost with the process. Returns a function that sends what waits and ends.
 */
export function traceEnds(services: Services, tracer: Tracer): () => Promise<void> {
  const waiting: Ends = { builds: [], jobs: [] };
  let running: Promise<void> | null = null;
  let stopping = false;
  const round = async () => {
    while (waiting.builds.length + waiting.jobs.length > 0) {
      if (!stopping) await sleep(gapMs, undefined, { ref: false });
      const ends = { builds: waiting.builds.splice(0, readAtOnce), jobs: waiting.jobs.splice(0, readAtOnce) };
      try {
        await tracer.send(await inLane('background', () => spansOf(services, ends)));
      } catch (error) {
        services.log.warn({ err: error, ...countsOf(ends) }, 'builds and jobs that ended could not be traced');
      }
    }
  };
  const activity = Activity.of(services);
  activity.onEnds = ({ builds, jobs }) => {
    if (waiting.builds.length + waiting.jobs.length > waitingAtMost) return;
    waiting.builds.push(...builds);
    waiting.jobs.push(...jobs);
    running ??= round().finally(() => (running = null));
  };
  return async () => {
    stopping = true;
    activity.onEnds = null;
    await running;
  };
}

const countsOf = ({ builds, jobs }: Ends) => ({ builds: builds.length, jobs: jobs.length });

async function spansOf({ db, baseUrl }: Services, ends: Ends) {
  const jobs = ends.jobs.length === 0 ? [] : await jobsOf(db, ends.jobs);
  const builds = ends.builds.length === 0 ? [] : await buildsOf(db, ends.builds);
  return [...jobs.map((job) => spanOfJob(job, baseUrl)), ...builds.map((build) => spanOfBuild(build, baseUrl))];
}

const named = sql`b.id as build_id, b.traceparent, b.number, b.commit, b.branch, b.source, o.id as organization_id,
  o.slug as organization_slug, p.id as pipeline_id, p.slug as pipeline_slug, p.name as pipeline_name, p.repository`;
const names = sql`join pipelines p on p.id = b.pipeline_id join organizations o on o.id = b.organization_id`;

async function jobsOf(db: Services['db'], ids: readonly string[]): Promise<EndedJob[]> {
  const { rows } = await sql<EndedJob>`
    select ${named}, j.id, j.type, j.state, j.passed, j.soft_failed, j.label, s.key as step_key, j.exit_status,
      j.signal_reason, j.attempt, j.retried_in_job_id, j.created_at, j.runnable_at, j.started_at, j.finished_at,
      j.agent_id, a.name as agent_name, q.key as queue_key, c.name as cluster_name
    from jobs j join builds b on b.id = j.build_id ${names}
    left join steps s on s.id = j.step_id left join agents a on a.id = j.agent_id
    left join cluster_queues q on q.id = j.cluster_queue_id left join clusters c on c.id = j.cluster_id
    where j.id = any(${ids}::uuid[]) and j.finished_at is not null`.execute(db);
  return rows;
}

async function buildsOf(db: Services['db'], ids: readonly string[]): Promise<EndedBuild[]> {
  const { rows } = await sql<EndedBuild>`
    select ${named}, b.state, b.message, b.created_at, b.finished_at, former.ends as former_ends,
      former.at as formerly_ended_at
    from builds b ${names}
    cross join lateral (
      select count(*)::int as ends, max(e.created_at) as at from events e
      where e.build_id = b.id and e.subject = 'build' and e.to_state in ${sql.raw(sqlList(finishedBuildStates))}
        and e.created_at < b.finished_at
    ) as former
    where b.id = any(${ids}::uuid[]) and b.finished_at is not null`.execute(db);
  return rows;
}
