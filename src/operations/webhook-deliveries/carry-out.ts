import { z } from 'zod';
import type { Context } from '../../context.js';
import { type EventDecision, shownEvent } from '../../domain/delivery/event-decision.js';
import type { ProviderEvent } from '../../domain/delivery/provider-event.js';
import { Problem } from '../../domain/problem.js';
import type { BuildRow } from '../../entities/database.js';
import { cancelForBranch, lockBranchBuilds } from '../builds/branch-builds.js';
import { insertBuild } from '../builds/insert-build.js';
import { type NewBuild, newBuildFields } from '../builds/new-build.js';
import { decideEvent, type Place } from './decide-event.js';

/** Decides over one event and does what was decided: a build is made by the same code as any other. */
export async function carryOut(context: Context, place: Place, event: ProviderEvent): Promise<EventDecision> {
  const { decision, planned, wanted } = await decideEvent(context, place, event);
  const { outcome, reason, rules, cancelBranch } = decision;
  const kept = { ...shownEvent(event, planned?.branch ?? null), outcome, reason, rules, buildId: null, canceledBuildIds: [] };
  if (cancelBranch !== null) return { ...kept, canceledBuildIds: await cancelBranchBuilds(context, place, cancelBranch, event) };
  if (outcome !== 'build' || wanted === null) return kept;
  const build = await makeBuild(context, place, wanted);
  if (build instanceof Problem) {
    const why = sentence(build);
    return { ...kept, outcome: 'failed', reason: why, rules: [...rules, { rule: 'create', outcome: 'stop', reason: why }] };
  }
  return { ...kept, reason: `Build ${build.number} was created`, rules: [...rules, { rule: 'create', outcome: 'pass', reason: `Build ${build.number} was created` }], buildId: build.id };
}

const checked = z.object(newBuildFields);

/** What a delivery says of a build is held to the rules of what a request says. */
async function makeBuild(context: Context, place: Place, wanted: NewBuild): Promise<BuildRow | Problem> {
  const { pullRequest } = wanted;
  const result = checked.safeParse({ ...wanted, pullRequestId: pullRequest?.id, pullRequestBaseBranch: pullRequest?.baseBranch, pullRequestRepository: pullRequest?.repository, pullRequestLabels: pullRequest?.labels });
  if (!result.success) {
    return new Problem('invalid', 'Validation Failed', { fields: result.error.issues.map(({ path, message }) => ({ field: path.join('.'), code: message })) });
  }
  try {
    return await insertBuild(context, place, wanted);
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

/** Cancels what still runs of a branch that is gone. */
async function cancelBranchBuilds(context: Context, { pipeline }: Place, branch: string, event: ProviderEvent): Promise<string[]> {
  const builds = await lockBranchBuilds(context, pipeline.id, branch);
  const reason = event.kind === 'merge_group' ? 'The merge group is gone' : 'The branch was deleted';
  for (const build of builds) await cancelForBranch(context, build, { cancelReason: reason, reason });
  return builds.map(({ id }) => id);
}
