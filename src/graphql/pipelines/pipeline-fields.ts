import { envFromList } from '../builds/env.js';
import type { PipelineCreateInput, PipelineUpdateInput } from './pipeline-inputs.js';

/** The operations' input for the fields that creating and updating a pipeline share; absent stays absent. */
export function pipelineFields(input: PipelineCreateInput | PipelineUpdateInput) {
  return {
    allowRebuilds: input.allowRebuilds,
    branchConfiguration: input.branchConfiguration,
    cancelRunningBranchBuilds: input.cancelIntermediateBuilds,
    cancelRunningBranchBuildsFilter: input.cancelIntermediateBuildsBranchFilter,
    cloneMirrorUrl: input.cloneMirrorUrl,
    clusterId: input.clusterId,
    color: input.color,
    configuration: input.steps == null ? input.steps : input.steps.yaml,
    defaultBranch: input.defaultBranch,
    defaultTimeoutInMinutes: input.defaultTimeoutInMinutes,
    description: input.description,
    emoji: input.emoji,
    env: envFromList(input.env),
    maximumTimeoutInMinutes: input.maximumTimeoutInMinutes,
    nextBuildNumber: input.nextBuildNumber,
    pipelineTemplateId: input.pipelineTemplateId,
    providerSettings: input.providerSettings,
    repository: input.repository?.url,
    retention: input.retention,
    skipQueuedBranchBuilds: input.skipIntermediateBuilds,
    skipQueuedBranchBuildsFilter: input.skipIntermediateBuildsBranchFilter,
    slug: input.slug,
    tags: input.tags?.map((tag) => tag.label),
    visibility: input.visibility,
  };
}

/** Names of the operations' fields in the mutations' inputs, for error messages. */
export const fieldNames: Readonly<Record<string, string>> = {
  cancelRunningBranchBuilds: 'cancelIntermediateBuilds',
  cancelRunningBranchBuildsFilter: 'cancelIntermediateBuildsBranchFilter',
  configuration: 'steps.yaml',
  repository: 'repository.url',
  skipQueuedBranchBuilds: 'skipIntermediateBuilds',
  skipQueuedBranchBuildsFilter: 'skipIntermediateBuildsBranchFilter',
};
