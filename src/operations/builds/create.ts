import { branchOfNewBuilds } from '../../domain/pipelines/default-branch.js';
import { z } from 'zod';
import type { PipelineRow } from '../../entities/database.js';
import { pipelineAddress } from '../../core/address.js';
import { defineOperation } from '../../core/operation.js';
import { findPipelineToBuild } from '../../resources/builds/find-pipeline-to-build.js';
import type { BuildSubject } from '../../core/subject.js';
import { queueBuild } from '../../engine/new-builds/insert-build.js';
import { newBuild, newBuildFields, type NewBuild } from '../../engine/new-builds/new-build.js';

const fields = z.object({
  ...newBuildFields,
  commit: newBuildFields.commit.optional(),
  branch: newBuildFields.branch.optional(),
});

const input = fields
  .extend({
    pipeline: pipelineAddress,
    /** Default the commit to HEAD and the branch to the pipeline's; /v2 requires both. */
    useDefaults: z.boolean().default(false),
  })
  .check((payload) => {
    if (payload.value.useDefaults) return;
    for (const field of ['commit', 'branch'] as const) {
      if (payload.value[field] === undefined)
        payload.issues.push({ code: 'custom', input: undefined, path: [field], message: 'missing' });
    }
  });

/** POST builds: creates a build and returns it, already scheduled. */
export const createBuild = defineOperation({
  name: 'build.create',
  summary: 'Creates a build of a pipeline.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  onArchived: true,
  input,
  subject: (context, { pipeline }) => findPipelineToBuild(context, pipeline),
  run: async (context, request, subject): Promise<BuildSubject> => {
    const build = await queueBuild(context, subject, requestedBuild(request, subject.pipeline, context.userId));
    return { ...subject, build };
  },
});

function requestedBuild(request: z.output<typeof input>, pipeline: PipelineRow, creatorId: string | null): NewBuild {
  const { author, pullRequestId, pullRequestBaseBranch, pullRequestRepository, pullRequestLabels, ...fields } = request;
  return newBuild({
    ...fields,
    commit: request.commit ?? 'HEAD',
    branch: request.branch ?? branchOfNewBuilds(pipeline),
    author: author && (author.name || author.email) ? { name: author.name ?? null, email: author.email ?? null } : null,
    ...(pullRequestId && { pullRequestId, pullRequestBaseBranch, pullRequestRepository, pullRequestLabels }),
    source: 'api',
    creatorId,
  });
}
