import type { Context } from '../../../request/context.js';
import { defaultSettings } from '../../../domain/integrations/provider-settings.js';
import { providerFromUrl } from '../../../domain/integrations/provider.js';
import { branchOfNewBuilds } from '../../../domain/pipelines/default-branch.js';
import type { PipelineRow } from '../../../entities/database.js';
import type { Exported } from './exported.js';

interface Named {
  id: string;
  name: string;
}

/** The pipelines of an organization as entries of the provisioning file. Archived ones are left out. */
export async function exportPipelines(
  { db }: Context,
  organizationId: string,
  clusters: readonly Named[],
  templates: readonly Named[],
): Promise<Exported[]> {
  const pipelines = await db
    .selectFrom('pipelines')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('archivedAt', 'is', null)
    .orderBy('slug')
    .execute();
  const schedules = await db
    .selectFrom('pipeline_schedules')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('id')
    .execute();
  return pipelines.map((pipeline) => ({
    ...fieldsOf(pipeline),
    cluster: clusters.find(({ id }) => id === pipeline.clusterId)?.name,
    template: templates.find(({ id }) => id === pipeline.pipelineTemplateId)?.name,
    // The label is a schedule's identity in the file: one without a label cannot be told from another.
    schedules: schedules
      .filter(({ pipelineId, label }) => pipelineId === pipeline.id && label !== '')
      .map(({ label, cronline, message, commit, branch, env, enabled }) => ({
        label,
        cronline,
        message,
        commit,
        branch: branch === branchOfNewBuilds(pipeline) ? undefined : branch,
        env: Object.keys(env).length > 0 ? env : undefined,
        enabled,
      })),
  }));
}

function fieldsOf(pipeline: PipelineRow): Exported {
  const { repository, providerSettings } = pipeline;
  return {
    slug: pipeline.slug,
    name: pipeline.name,
    repository,
    description: pipeline.description,
    configuration: pipeline.configuration,
    steps: pipeline.visualSteps,
    env:
      pipeline.visualSteps !== null && pipeline.env && Object.keys(pipeline.env).length > 0 ? pipeline.env : undefined,
    defaultBranch: pipeline.defaultBranch,
    branchConfiguration: pipeline.branchConfiguration,
    skipQueuedBranchBuilds: pipeline.skipQueuedBranchBuilds || undefined,
    skipQueuedBranchBuildsFilter: pipeline.skipQueuedBranchBuildsFilter,
    cancelRunningBranchBuilds: pipeline.cancelRunningBranchBuilds || undefined,
    cancelRunningBranchBuildsFilter: pipeline.cancelRunningBranchBuildsFilter,
    allowRebuilds: pipeline.allowRebuilds ? undefined : false,
    defaultTimeoutInMinutes: pipeline.defaultTimeoutInMinutes,
    maximumTimeoutInMinutes: pipeline.maximumTimeoutInMinutes,
    cloneMirrorUrl: pipeline.cloneMirrorUrl,
    color: pipeline.color,
    emoji: pipeline.emoji,
    visibility: pipeline.visibility === 'public' ? 'public' : undefined,
    tags: pipeline.tags.length > 0 ? pipeline.tags : undefined,
    retention: pipeline.retention,
    providerSettings: changedSettings(repository, providerSettings),
  };
}

/** Settings that differ from those a pipeline of the repository begins with; undefined if none does. */
function changedSettings(repository: string, settings: Record<string, unknown>): Record<string, unknown> | undefined {
  const provider = providerFromUrl(repository);
  const defaults: Record<string, unknown> = defaultSettings(provider.id, provider.repository);
  const changed = Object.entries(settings).filter(
    ([key, value]) => key !== 'repository' && JSON.stringify(value) !== JSON.stringify(defaults[key]),
  );
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}
