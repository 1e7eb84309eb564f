import { z } from 'zod';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { BuildSubject } from '../../../core/subject.js';
import { limits } from '../../../domain/limits/limits.js';
import type { CommitStatusRow } from '../../../entities/database.js';

/** Lists the commit statuses of a build with what has become of them: first those of the build, then those of steps. */
export const listCommitStatuses = defineOperation({
  name: 'commit-status.list',
  summary: 'Lists the commit statuses of a build, with what has become of them.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ build: buildAddress }),
  subject: (context, { build }) => findBuild(context, build),
  run: ({ db }, _input, { build }: BuildSubject): Promise<CommitStatusRow[]> =>
    db
      .selectFrom('commit_statuses as c')
      .selectAll('c')
      .where('c.buildId', '=', build.id)
      .orderBy('c.ofStep')
      .orderBy('c.context')
      .limit(limits.commitStatusesShown)
      .execute(),
});
