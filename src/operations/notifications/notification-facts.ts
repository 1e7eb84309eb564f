import type { Context } from '../../context.js';
import { restBuildState } from '../../domain/build-state.js';
import type { ConditionFacts } from '../../domain/conditional/condition.js';
import type { BuildRow } from '../../entities/database.js';
import { conditionFacts } from '../builds/build-facts.js';
import { asNewBuild } from '../builds/as-new-build.js';

/** What the `if` of a notification may ask of a build as it is now (rest-facts 4.10). Throws where its pipeline is gone. */
export async function notificationFacts(context: Context, build: BuildRow): Promise<ConditionFacts> {
  const pipeline = await context.load.pipeline.load(build.pipelineId);
  const organization = await context.load.organization.load(build.organizationId);
  if (!pipeline || !organization) throw new Error(`build ${build.id} has no pipeline or organization`);
  const facts = await conditionFacts(context, { organization, pipeline }, asNewBuild(build), build.pipelineEnv);
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

/** What the finished builds before this one on its branch say: whether it began on a passing or failing pipeline. */
async function history(context: Context, build: BuildRow): Promise<ConditionFacts['values']> {
  const before = await context.db
    .selectFrom('builds')
    .select('state')
    .where('pipelineId', '=', build.pipelineId)
    .where('branch', '=', build.branch)
    .where('id', '<', build.id)
    .where('state', 'in', ['passed', 'failed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const failing = before?.state === 'failed';
  return {
    'pipeline.started_failing': failing,
    'pipeline.started_passing': before?.state === 'passed',
    'build.fixed': failing && build.state === 'passed',
  };
}
