import { isSameRepository } from '../../../domain/integrations/same-repository.js';
import type { BuildRow, PipelineRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import type { Context } from '../../../request/context.js';

/** Builds that started each other that are followed; a longer chain counts as one of a fork. */
const chainLength = 50;

/** Whether a build is of a pull request whose commits are in another repository, or not known to be in this one. */
function isOfFork(
  { conditions, pullRequestId, pullRequestRepository }: BuildRow,
  { repository }: Pick<PipelineRow, 'repository'>,
): boolean {
  if (conditions['build.pull_request.repository.fork'] === true) return true;
  if (pullRequestId === null || pullRequestRepository === null || pullRequestRepository === '') return false;
  return !isSameRepository(pullRequestRepository, repository);
}

/**
 * Whether code of a fork decides over a build: it is of a pull request of a fork, or such a build started it. The steps
 * of a fork can start a build of any commit, so what they start is trusted no more than they are.
 */
export async function isDrivenByFork(context: Context, build: BuildRow): Promise<boolean> {
  let current: BuildRow | null | undefined = build;
  for (let depth = 0; current; depth += 1) {
    if (depth === chainLength) return true;
    const pipeline = await context.uncheckedRows.pipeline.load(current.pipelineId);
    if (!pipeline || isOfFork(current, pipeline)) return true;
    const trigger = await loadOrNull(context.uncheckedRows.job, current.triggeredFromJobId);
    // A trigger that is deleted by now says nothing of what it was.
    if (!trigger) return current.triggeredFromJobId !== null;
    current = await context.uncheckedRows.build.load(trigger.buildId);
  }
  return false;
}
