import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { teamSlugsOfPipeline, teamSlugsOfUser } from '../../../auth/team-slugs.js';
import { compiled } from '../../../database/compiled.js';
import { rowAs } from '../../../database/row-conversion.js';
import type { AgentRow, BuildRow, ClusterRow, Db, JobRow, Row, UserRow } from '../../../entities/database.js';
import type { SharedRows } from '../../../request/shared-rows.js';
import { stepSummaryOf } from '../../../engine/builds/step-summary.js';
import { appHostsOf, type Unblocking, unblockingsOf } from '../../../loaders/loaders.js';

type Absent<R> = { [Column in keyof R]: R[Column] | null };

interface Surroundings {
  organization: Row<'organizations'>;
  pipeline: Row<'pipelines'>;
  step: Row<'steps'>;
  cluster: ClusterRow | Absent<ClusterRow>;
  creator: UserRow | Absent<UserRow>;
  pipelineTeams: string[] | null;
  creatorTeams: string[] | null;
  unblockings: Unblocking[] | null;
  appHosts: string[] | null;
}

const surroundings = compiled<{ jobIds: string[] }, Surroundings & { jobId: string }>(
  'job-surroundings',
  (db, { jobIds }) =>
    db
      .selectFrom('jobs as j')
      .innerJoin('builds as b', 'b.id', 'j.buildId')
      .innerJoin('organizations as o', 'o.id', 'j.organizationId')
      .innerJoin('pipelines as p', 'p.id', 'j.pipelineId')
      .innerJoin('steps as s', 's.id', 'j.stepId')
      .leftJoin('clusters as c', 'c.id', 'j.clusterId')
      .leftJoin('users as u', 'u.id', 'b.creatorId')
      .select(rowAs('organizations', 'o', 'organization'))
      .select(rowAs('pipelines', 'p', 'pipeline'))
      .select(rowAs('steps', 's', 'step'))
      .select(rowAs('clusters', 'c', 'cluster'))
      .select(rowAs('users', 'u', 'creator'))
      .select('j.id as jobId')
      .select([
        teamSlugsOfPipeline(sql`p.id`).as('pipelineTeams'),
        teamSlugsOfUser(sql`o.id`, sql`u.id`).as('creatorTeams'),
        unblockingsOf(sql`b.id`).as('unblockings'),
        appHostsOf(sql`o.id`).as('appHosts'),
      ])
      .where(sql<boolean>`j.id = any(${jobIds}::uuid[])`) as never,
);

/** Reads what surrounds several jobs with one statement, for the commands that a transaction carries out. */
export async function loadSurroundings(db: Db, rows: SharedRows, jobIds: readonly string[]): Promise<void> {
  for (const row of await surroundings(db, { jobIds: [...jobIds] })) rows.addBeside(row.jobId, row);
}

/**
 * Reads with one statement what the environment of a job and the reply to its agent need of most jobs, and gives it to
 * the loaders, which read what only some have.
 */
export async function primeEnvironment(context: Context, job: JobRow, build: BuildRow, agent: AgentRow): Promise<void> {
  const known = context.shared?.besides(job.id) as Surroundings | undefined;
  const [row] = known ? [known] : await surroundings(context.db, { jobIds: [job.id] });
  if (!row) return;
  const { load, uncheckedRows } = context;
  const { organization, pipeline, step, cluster, creator } = row;
  load.organization.prime(organization.id, organization);
  uncheckedRows.pipeline.prime(pipeline.id, pipeline);
  uncheckedRows.build.prime(build.id, build);
  load.agent.prime(agent.id, agent);
  load.step.prime(step.id, step);
  load.stepSummary.prime(step.id, stepSummaryOf(step));
  if (cluster.id !== null) load.cluster.prime(cluster.id, cluster as ClusterRow);
  if (creator.id !== null) {
    load.user.prime(creator.id, creator as UserRow);
    load.teamSlugsOfUser.prime(`${organization.id} ${creator.id}`, row.creatorTeams ?? []);
  }
  load.teamSlugsOfPipeline.prime(pipeline.id, row.pipelineTeams ?? []);
  load.unblockingsOfBuild.prime(build.id, row.unblockings ?? []);
  load.appHostsOfOrganization.prime(organization.id, row.appHosts ?? []);
}
