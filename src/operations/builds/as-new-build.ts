import type { BuildRow } from '../../entities/database.js';
import type { NewBuild } from './new-build.js';

/** What was asked for when a build was made, read back from its row. */
export function asNewBuild(build: BuildRow): NewBuild {
  return {
    commit: build.commit,
    branch: build.branch,
    tag: build.tag,
    message: build.message,
    author: build.author,
    env: build.env as NewBuild['env'],
    metaData: {},
    cleanCheckout: build.cleanCheckout,
    ignorePipelineBranchFilters: build.ignorePipelineBranchFilters,
    pullRequest:
      build.pullRequestId === null
        ? null
        : { id: build.pullRequestId, baseBranch: build.pullRequestBaseBranch, repository: build.pullRequestRepository, labels: build.pullRequestLabels, draft: build.pullRequestDraft },
    source: build.source,
    creatorId: build.creatorId,
    commitResolved: build.commitResolved,
  };
}
