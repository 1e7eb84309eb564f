import { z } from 'zod';
import type { PipelineRow } from '../../entities/database.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { BuildSubject } from '../subject.js';
import { insertBuild } from './insert-build.js';
import { newBuildFields, type NewBuild } from './new-build.js';

const fields = z.object({ ...newBuildFields, commit: newBuildFields.commit.optional(), branch: newBuildFields.branch.optional() });

const input = fields
  .extend({
    pipeline: pipelineAddress,
    /** Take commit HEAD and the pipeline's default branch where none is given; /v2 requires both. */
    useDefaults: z.boolean().default(false),
  })
  .check((payload) => {
    if (payload.value.useDefaults) return;
    for (const field of ['commit', 'branch'] as const) {
      if (payload.value[field] === undefined) payload.issues.push({ code: 'custom', input: undefined, path: [field], message: 'missing' });
    }
  });

/** POST builds (api-v2.md): the new build, already scheduled. */
export const createBuild = defineOperation({
  name: 'build.create',
  summary: 'Creates a build of a pipeline.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input,
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, wanted, subject): Promise<BuildSubject> => {
    const build = await insertBuild(context, subject, requested(wanted, subject.pipeline, context.userId));
    return { ...subject, build };
  },
});

function requested(wanted: z.output<typeof input>, pipeline: PipelineRow, creatorId: string | null): NewBuild {
  const author = wanted.author && (wanted.author.name || wanted.author.email) ? { name: wanted.author.name ?? null, email: wanted.author.email ?? null } : null;
  return {
    commit: wanted.commit ?? 'HEAD',
    branch: wanted.branch ?? pipeline.defaultBranch,
    message: wanted.message ?? null,
    author,
    env: (wanted.env ?? {}) as NewBuild['env'],
    metaData: wanted.metaData ?? {},
    cleanCheckout: wanted.cleanCheckout ?? false,
    ignorePipelineBranchFilters: wanted.ignorePipelineBranchFilters ?? false,
    pullRequest: wanted.pullRequestId
      ? {
          id: wanted.pullRequestId,
          baseBranch: wanted.pullRequestBaseBranch ?? null,
          repository: wanted.pullRequestRepository ?? null,
          labels: wanted.pullRequestLabels ?? [],
          draft: null,
        }
      : null,
    source: 'api',
    creatorId,
  };
}
