import type { PlannedBuild } from '../../domain/integrations/webhook-deliveries/planned-build.js';
import type { Person, ProviderEvent } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import { limits } from '../../domain/limits/limits.js';
import { type NewBuild, newBuild } from '../new-builds/new-build.js';

/** Builds the `NewBuild` of a delivery; source `webhook`. */
export function buildOf(event: ProviderEvent, planned: PlannedBuild, creatorId: string | null): NewBuild {
  const { pullRequest } = planned;
  return newBuild({
    commit: planned.commit,
    branch: planned.branch,
    tag: planned.tag,
    message: planned.message,
    author: planned.author && cut(planned.author),
    env: planned.env,
    // The pipeline's filter is for pushed branches, and the delivery's decision has asked it.
    ignorePipelineBranchFilters: event.kind !== 'branch_push',
    ...(pullRequest && {
      pullRequestId: pullRequest.number,
      pullRequestBaseBranch: pullRequest.baseBranch,
      pullRequestRepository: planned.pullRequestRepository,
      pullRequestLabels: pullRequest.labels.slice(0, limits.pullRequestLabels),
      pullRequestDraft: pullRequest.draft,
    }),
    source: 'webhook',
    creatorId,
    conditions: {
      'build.source_event': event.event,
      'build.source_action': event.action,
      'build.pull_request.label': event.pullRequest?.label ?? null,
      'build.pull_request.repository.fork': pullRequest?.fork ?? null,
      'build.merge_queue.active': event.mergeQueue !== null,
      'build.merge_queue.base_branch': event.mergeQueue?.baseBranch ?? null,
      'build.merge_queue.base_commit': event.mergeQueue?.baseCommit ?? null,
    },
  });
}

function cut({ name, email, username }: Person): Person {
  const short = (text: string | null) => text?.slice(0, limits.personLength) ?? null;
  return { name: short(name), email: short(email), username: short(username) };
}
