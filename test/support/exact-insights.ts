import { sql } from 'kysely';
import type { Insight, InsightGroup } from '../../src/domain/builds/insights/insight.js';
import type { Db } from '../../src/entities/database.js';

/** A command job, with times in seconds. */
interface ExactJob {
  step: string;
  queue: string;
  retried: boolean;
  passed: boolean;
  wait: number;
  duration: number;
  logBytes: number;
  artifactBytes: number;
}

interface ExactBuild {
  pipeline: string;
  branch: string;
  createdAt: Date;
  failed: boolean;
  duration: number;
  jobs: ExactJob[];
}

interface Question {
  by?: InsightGroup;
  pipeline?: string;
  branch?: string;
  queue?: string;
  step?: string;
  from: Date;
  to: Date;
  /** Price of an hour of an agent of the queue `default`; others have none. */
  price: number;
}

/** All builds since a time that have ended, with their jobs, but those of searches for culprits. */
export async function allBuilds(db: Db, from: Date): Promise<ExactBuild[]> {
  const { rows } = await sql<ExactBuild>`
    select p.slug as pipeline, b.branch, b.created_at, b.state = 'failed' as failed,
      extract(epoch from b.finished_at - b.started_at)::float8 as duration,
      (select json_agg(json_build_object('step', p.slug || '/' || s.label, 'queue', q.key, 'retried', j.retried,
        'passed', j.passed, 'wait', extract(epoch from j.assigned_at - j.runnable_at),
        'duration', extract(epoch from j.finished_at - j.started_at), 'logBytes', j.log_size,
        'artifactBytes', (select sum(file_size) from artifacts where job_id = j.id and stored_at is not null)))
        from jobs j join steps s on s.id = j.step_id join cluster_queues q on q.id = j.cluster_queue_id
        where j.build_id = b.id) as jobs
    from builds b join pipelines p on p.id = b.pipeline_id
    where b.created_at >= ${from} and b.finished_at is not null and b.culprit_search_id is null`.execute(db);
  return rows;
}

/** What insights are to say of builds, computed in the plainest way. */
export function exactInsights(builds: readonly ExactBuild[], question: Question): Insight[] {
  const { by = 'pipeline', pipeline, branch, queue, step, from, to } = question;
  const areOfJobs = Boolean(queue ?? step) || by === 'queue' || by === 'step';
  const groups = new Map<string, { build: ExactBuild; jobs: ExactJob[] }[]>();
  for (const build of builds) {
    if ((pipeline && build.pipeline !== pipeline) || (branch && build.branch !== branch)) continue;
    const wanted = build.jobs.filter((job) => (!queue || job.queue === queue) && (!step || job.step === step));
    const keys = {
      pipeline: [build.pipeline],
      branch: [build.branch],
      day: [build.createdAt.toISOString().slice(0, 10)],
      hour: [],
      queue: wanted.map((job) => job.queue),
      step: wanted.map((job) => job.step),
    }[by];
    for (const key of new Set(keys)) {
      const jobs = wanted.filter((job) => (by === 'queue' || by === 'step' ? job[by] === key : true));
      if (areOfJobs && jobs.length === 0) continue;
      groups.set(key, [...(groups.get(key) ?? []), { build, jobs }]);
    }
  }
  if (by === 'day')
    for (let day = from.getTime(); day < to.getTime() + 86_400_000; day += 86_400_000) {
      const key = new Date(Math.min(day, to.getTime() - 1)).toISOString().slice(0, 10);
      if (!groups.has(key)) groups.set(key, []);
    }
  return [...groups]
    .map(([key, members]) => insightOf(key, members, { areOfJobs, price: question.price }))
    .sort((one, other) =>
      by === 'day' ? Number(one.key > other.key) || -1 : other.builds - one.builds || (one.key < other.key ? -1 : 1),
    );
}

function insightOf(
  key: string,
  members: readonly { build: ExactBuild; jobs: ExactJob[] }[],
  { areOfJobs, price }: { areOfJobs: boolean; price: number },
): Insight {
  const jobs = members.flatMap((member) => member.jobs);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const hasFailed = (job: ExactJob) => !job.retried && !job.passed;
  const failed = members.filter((member) => (areOfJobs ? member.jobs.some(hasFailed) : member.build.failed));
  const of = (values: readonly number[], share: number): number | null => {
    const sorted = [...values].sort((one, other) => one - other);
    const place = share * (sorted.length - 1);
    const low = sorted[Math.floor(place)];
    const high = sorted[Math.ceil(place)];
    return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place));
  };
  const durations = areOfJobs ? jobs.map(({ duration }) => duration) : members.map(({ build }) => build.duration);
  const waits = jobs.map(({ wait }) => wait);
  const priced = jobs.filter(({ queue }) => queue === 'default');
  return {
    key,
    builds: members.length,
    failed: failed.length,
    durationP50: of(durations, 0.5),
    durationP90: of(durations, 0.9),
    durationP95: of(durations, 0.95),
    waitP50: of(waits, 0.5),
    waitP90: of(waits, 0.9),
    waitP95: of(waits, 0.95),
    retried: jobs.filter(({ retried }) => retried).length,
    agentSeconds: sum(jobs.map(({ duration }) => duration)),
    cost: priced.length > 0 ? (sum(priced.map(({ duration }) => duration)) * price) / 3600 : null,
    logBytes: sum(jobs.map(({ logBytes }) => logBytes)),
    artifactBytes: sum(jobs.map(({ artifactBytes }) => artifactBytes)),
    // No time of agents is counted here.
    agentsConnectedSeconds: null,
    agentsBusyShare: null,
  };
}
