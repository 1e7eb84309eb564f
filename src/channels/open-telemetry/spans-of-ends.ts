import { sql } from 'kysely';
import { finishedBuildStates } from '../../domain/builds/build-state.js';
import { sqlList } from '../../entities/sql-list.js';
import type { Ends } from '../../services/activity.js';
import type { Services } from '../../services/services.js';
import { type EndedBuild, type EndedJob, spanOfBuild, spanOfJob } from './end-spans.js';

/** Spans of builds and jobs that have ended, by their ids. */
export async function spansOf({ db, baseUrl }: Pick<Services, 'db' | 'baseUrl'>, ends: Ends) {
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
