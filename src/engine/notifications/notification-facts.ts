import type { Context } from '../../request/context.js';
import { restBuildState } from '../../domain/builds/build-state.js';
import type { ConditionFacts } from '../../domain/pipelines/conditions/condition.js';
import type { BuildRow } from '../../entities/database.js';
import { conditionFacts } from '../new-builds/build-facts.js';
import { newBuildFromRow } from '../new-builds/new-build.js';

/** Loads the variables that the `if` of a notification can read, as of now. Throws if the pipeline is gone. */
export async function notificationFacts(context: Context, build: BuildRow): Promise<ConditionFacts> {
  const pipeline = await context.uncheckedRows.pipeline.load(build.pipelineId);
  const organization = await context.load.organization.load(build.organizationId);
  if (!pipeline || !organization) throw new Error(`build ${build.id} has no pipeline or organization`);
  const facts = await conditionFacts(context, { organization, pipeline }, newBuildFromRow(build), build.pipelineEnv);
  return {
    ...facts,
    values: {
      ...facts.values,
      'build.id': build.id,
      'build.number': build.number,
      'build.state': build.state === 'blocked' ? 'blocked' : restBuildState(build),
      'build.blocked_state': build.blockedState,
      ...(await history(context, build)),
    },
  };
}

/**
 * Loads the result of the previous finished build on the branch: whether this one began on a passing or a failing
 * pipeline.
 */
async function history(context: Context, build: BuildRow): Promise<ConditionFacts['values']> {
  const before = await previousResult(context, build);
  const failing = before === 'failed';
  return {
    'pipeline.started_failing': failing,
    'pipeline.started_passing': before === 'passed',
    'build.fixed': failing && build.state === 'passed',
  };
}

/** Result of the previous build on the branch that passed or failed; null if there is none. */
export async function previousResult(
  context: Context,
  build: Pick<BuildRow, 'pipelineId' | 'branch' | 'number'>,
): Promise<'passed' | 'failed' | null> {
  const before = await context.db
    .selectFrom('builds')
    .select('state')
    .where('pipelineId', '=', build.pipelineId)
    .where('branch', '=', build.branch)
    .where('number', '<', build.number)
    .where('state', 'in', ['passed', 'failed'])
    .where('culpritSearchId', 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (before === undefined) return null;
  return before.state === 'passed' ? 'passed' : 'failed';
}
