import { z } from 'zod';
import type { Context } from '../../request/context.js';
import type { EventDecision } from '../../domain/integrations/webhook-deliveries/event-decision.js';
import { isRerun, type ProviderEvent } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import { Problem } from '../../domain/problem.js';
import type { BuildRow } from '../../entities/database.js';
import { cancelForBranch, lockBranchBuilds } from '../new-builds/branch-builds.js';
import { insertBuild } from '../new-builds/insert-build.js';
import { type NewBuild, newBuildFields } from '../new-builds/new-build.js';
import { decideEvent, type PipelineScope } from './decide-event.js';
import { rerunCheck } from './rerun-check.js';

/** Decides about one event and applies the decision; builds are created by the same code as any other. */
export async function carryOut(context: Context, scope: PipelineScope, event: ProviderEvent): Promise<EventDecision> {
  const { decision, cancelBranch, newBuild } = await decideEvent(context, scope, event);
  const { rules } = decision;
  if (cancelBranch !== null)
    return { ...decision, canceledBuildIds: await cancelBranchBuilds(context, scope, cancelBranch, event) };
  if (isRerun(event) && decision.outcome === 'build') {
    const { outcome, reason, buildId } = await rerunCheck(context, scope, event);
    const done = { rule: 'rerun', outcome: outcome === 'build' ? ('pass' as const) : ('stop' as const), reason };
    return { ...decision, outcome, reason, rules: [...rules, done], buildId };
  }
  if (newBuild === null) return decision;
  const build = await makeBuild(context, scope, newBuild);
  if (build instanceof Problem) {
    const why = sentence(build);
    return {
      ...decision,
      outcome: 'failed',
      reason: why,
      rules: [...rules, { rule: 'create', outcome: 'stop', reason: why }],
    };
  }
  return {
    ...decision,
    reason: `Build ${build.number} was created`,
    rules: [...rules, { rule: 'create', outcome: 'pass', reason: `Build ${build.number} was created` }],
    buildId: build.id,
  };
}

const checked = z.object(newBuildFields);

/** Validates a delivery's build like a request and inserts it; returns the Problem that refuses it. */
async function makeBuild(context: Context, scope: PipelineScope, newBuild: NewBuild): Promise<BuildRow | Problem> {
  const result = checked.safeParse(newBuild);
  if (!result.success) {
    return new Problem('invalid', 'Validation Failed', {
      fields: result.error.issues.map(({ path, message }) => ({ field: path.join('.'), code: message })),
    });
  }
  try {
    return await insertBuild(context, scope, newBuild);
  } catch (error) {
    // Everything that refuses a build does so before its first row is written.
    if (error instanceof Problem && error.code !== 'not_found') return error;
    throw error;
  }
}

function sentence({ message, details }: Problem): string {
  const fields = details.fields?.map(({ field, code }) => `${field} ${code}`).join(', ');
  return fields ? `The build could not be created: ${fields}` : `The build could not be created: ${message}`;
}

function mergeGroupEnd({ mergeQueue }: ProviderEvent): string {
  return mergeQueue?.endReason ? `The merge group is gone (${mergeQueue.endReason})` : 'The merge group is gone';
}

/** Cancels the unfinished builds of a deleted branch. */
async function cancelBranchBuilds(
  context: Context,
  { pipeline }: PipelineScope,
  branch: string,
  event: ProviderEvent,
): Promise<string[]> {
  const builds = await lockBranchBuilds(context, pipeline.id, branch);
  const reason = event.kind === 'merge_group' ? mergeGroupEnd(event) : 'The branch was deleted';
  for (const build of builds) await cancelForBranch(context, build, { cancelReason: reason, reason });
  return builds.map(({ id }) => id);
}
