import { isBuildRebuildable } from '../../domain/builds/build-state.js';
import { failureKind } from '../../domain/builds/retry-failed.js';
import { readExternalId } from '../../domain/integrations/check-run.js';
import type { ProviderEvent } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import { Problem } from '../../domain/problem.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import type { Context } from '../../request/context.js';
import { retryJobs } from '../builds/retry-jobs.js';
import { insertBuild } from '../new-builds/insert-build.js';
import { newBuildFromRow } from '../new-builds/new-build.js';
import type { PipelineScope } from './decide-event.js';

/** What became of a check that is to run again. */
export interface Rerun {
  outcome: 'build' | 'ignore' | 'failed';
  reason: string;
  /** The build that was made; null where jobs of the present one were retried. */
  buildId: string | null;
}

const ignored = (reason: string): Rerun => ({ outcome: 'ignore', reason, buildId: null });
const failed = (reason: string): Rerun => ({ outcome: 'failed', reason, buildId: null });

/**
 * Runs a check again that somebody asked GitHub for: retries the failed jobs of its step or build, or builds again
 * where there are none to be retried. Of a whole suite: those of the newest build of the commit.
 */
export async function rerunCheck(context: Context, scope: PipelineScope, event: ProviderEvent): Promise<Rerun> {
  const target = await findTarget(context, scope, event);
  if (!target) return ignored('No build of this pipeline has published the check that is to run again');
  const { build, stepId } = target;
  const jobs = await context.db
    .selectFrom('jobs')
    .selectAll()
    .where('buildId', '=', build.id)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const result = await retryJobs(
    context,
    build,
    jobs.filter((job) => mayRunAgain(job, stepId)),
  );
  if ('count' in result && result.count > 0)
    return {
      outcome: 'build',
      reason: `${result.count} ${result.count === 1 ? 'job' : 'jobs'} of build ${build.number} ran again`,
      buildId: null,
    };
  return rebuild(context, scope, build, 'problem' in result ? result.problem : null);
}

const mayRunAgain = (job: JobRow, stepId: string | null) =>
  !job.retried && failureKind(job) !== null && (stepId === null || job.stepId === stepId);

/** The build of a check run, or of the commit of a suite, locked; and the step, where the check is of one. */
async function findTarget(
  { db }: Context,
  { pipeline }: PipelineScope,
  { checkId, kind, commit }: ProviderEvent,
): Promise<{ build: BuildRow; stepId: string | null } | null> {
  const query = db.selectFrom('builds').selectAll().where('pipelineId', '=', pipeline.id).forUpdate();
  if (kind === 'check_suite') {
    const build = await query
      .where('commit', '=', commit)
      .where('culpritSearchId', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('commit_statuses as c')
            .select('c.buildId')
            .whereRef('c.buildId', '=', 'builds.id')
            .where('c.checkOutput', 'is not', null),
        ),
      )
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    return build ? { build, stepId: null } : null;
  }
  const own = readExternalId(checkId);
  if (!own) return null;
  const stepId = own.kind === 'step' ? own.id : null;
  const step =
    stepId === null ? null : await db.selectFrom('steps').select('buildId').where('id', '=', stepId).executeTakeFirst();
  const buildId = own.kind === 'build' ? own.id : step?.buildId;
  const build = buildId && (await query.where('id', '=', buildId).executeTakeFirst());
  return build ? { build, stepId } : null;
}

/** Builds again what has no job to be retried. `problem`: why its jobs cannot be. */
async function rebuild(
  context: Context,
  scope: PipelineScope,
  build: BuildRow,
  problem: string | null,
): Promise<Rerun> {
  if (!scope.pipeline.allowRebuilds)
    return failed(problem ?? 'No failed job can be retried, and rebuilds have been disabled for this pipeline');
  if (!isBuildRebuildable(build.state)) return failed(`Build ${build.number} is still being created`);
  try {
    const copy = await insertBuild(context, scope, {
      ...newBuildFromRow(build),
      // A build that was allowed once is not filtered again.
      ignorePipelineBranchFilters: true,
      source: 'webhook',
      creatorId: null,
      rebuiltFromId: build.id,
    });
    return { outcome: 'build', reason: `Build ${build.number} was built again as ${copy.number}`, buildId: copy.id };
  } catch (error) {
    // Everything that refuses a build does so before its first row is written.
    if (error instanceof Problem && error.code !== 'not_found')
      return failed(`The build could not be created: ${error.message}`);
    throw error;
  }
}
