import { z } from 'zod';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { BuildSubject } from '../../../core/subject.js';
import { isCanonicalSha } from '../../../domain/builds/git-commit-text.js';
import type { CommitStatus } from '../../../domain/integrations/commit-status.js';
import { limits } from '../../../domain/limits/limits.js';
import { connectionOf } from '../../../engine/notifications/connection-access.js';
import { wantedStatuses } from '../../../engine/notifications/wanted-statuses.js';

/** A commit status that a build would send. */
export type PlannedStatus = Pick<CommitStatus, 'context' | 'state' | 'description' | 'problem'> & { commit: string };

const noConnection = "Not sent: the organization has no connection to the repository's host";

/**
 * Tells which commit statuses and check runs a build would send as it is now, by the present settings of its pipeline,
 * and why one would not be sent. Nothing is stored or sent. First those of the build, then those of steps, at most
 * `limits.commitStatusesShown`.
 */
export const previewCommitStatuses = defineOperation({
  name: 'commit-status.preview',
  summary: 'Tells which commit statuses a build would send as it is now, and sends none.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, _input, { pipeline, build }: BuildSubject): Promise<PlannedStatus[]> => {
    const connection = await connectionOf(context.db, pipeline);
    const problem = reasonOf(build.commit, connection !== null);
    // Without a connection, the statuses are those that a connection by a token would send.
    const host = connection ?? { host: 'the host', appId: null };
    const statuses = await wantedStatuses(context, pipeline, build, host);
    return statuses
      .toSorted((one, other) => Number(one.ofStep) - Number(other.ofStep))
      .slice(0, limits.commitStatusesShown)
      .map((status) => ({ ...status, commit: build.commit, problem: problem ?? status.problem }));
  },
});

function reasonOf(commit: string, hasConnection: boolean): string | null {
  if (!isCanonicalSha(commit)) return `Not sent: "${commit}" is not a whole commit id`;
  return hasConnection ? null : noConnection;
}
