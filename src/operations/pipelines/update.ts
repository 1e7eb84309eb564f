import { z } from 'zod';
import type { Context } from '../../request/context.js';
import { idFromEither } from '../../domain/node-id.js';
import { archivedProblem, invalid, invalidField } from '../../domain/problem.js';
import type { OrganizationRow, PipelineRow } from '../../entities/database.js';
import { pipelineAddress } from '../../core/address.js';
import { findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { PipelineSubject } from '../../core/subject.js';
import { archiveColumns, recordArchiving } from '../../resources/pipelines/archive-columns.js';
import {
  definitionFields,
  pipelineName,
  pipelineSlug,
  referenceFields,
  repositoryUrl,
  settingFields,
} from '../../resources/pipelines/fields.js';
import {
  configurationMissing,
  type DefinitionColumns,
  definitionColumns,
  type DefinitionInput,
  hasConfiguration,
} from '../../resources/pipelines/definition-columns.js';
import { nameWithSlug, type Naming, refuseTaken, takenMeanwhile } from '../../resources/pipelines/names.js';
import { providerColumns } from '../../resources/pipelines/provider.js';
import { recordPipeline } from '../../resources/pipelines/record.js';
import { requireCluster, requireTemplate } from '../../resources/pipelines/references.js';
import { refusePublic, settingColumns } from '../../resources/pipelines/settings.js';

const input = z.object({
  pipeline: pipelineAddress,
  name: pipelineName.optional(),
  repository: repositoryUrl.optional(),
  slug: pipelineSlug.nullish(),
  ...definitionFields,
  ...settingFields,
  ...referenceFields,
  /**
   * Archives or unarchives the pipeline in the same change. No field of /v2, which has requests of their own for it.
   */
  archived: z.boolean().nullish(),
});
type Input = z.output<typeof input>;

/**
 * Updates the fields present in the request; null restores a default. Teams cannot be changed here. An archived
 * pipeline is read-only unless the request unarchives it.
 */
export const updatePipeline = defineOperation({
  name: 'pipeline.update',
  summary: 'Updates a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  input,
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, request, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { organization, pipeline: before } = subject;
    if (request.archived !== false && before.archivedAt !== null) throw archivedProblem();
    refusePublic(request, organization, before.visibility);
    const archiving = request.archived == null ? null : archiveColumns(context, before, request.archived);
    const naming = await newNaming(context, request, before);
    const references = await newReferences(context, organization, request, before);
    const template =
      references.pipelineTemplateId === undefined ? before.pipelineTemplateId : references.pipelineTemplateId;
    const definition = await newDefinition(context, request, before, template !== null);
    const repository = request.repository ?? before.repository;
    const provider =
      request.repository === undefined && !request.providerSettings
        ? null
        : providerColumns(repository, before, request.providerSettings);
    const pipeline = await context.db
      .updateTable('pipelines')
      .set({
        ...(naming ? { name: naming.name, slug: naming.slug } : {}),
        ...references,
        ...(definition
          ? {
              configuration: definition.configuration,
              visualSteps: definition.visualSteps,
              env: definition.env,
            }
          : {}),
        repository,
        ...(provider ? { providerId: provider.providerId, providerSettings: provider.providerSettings } : {}),
        nextBuildNumber: newBuildNumber(request.nextBuildNumber, before),
        ...settingColumns(request, { defaultBranch: organization.defaultBranch }),
        ...archiving,
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => Promise.reject(takenMeanwhile(error)));
    if (request.archived === false) recordArchiving(context, pipeline, false);
    recordPipeline(context, pipeline, { type: 'pipeline.update', data: { changed: changedColumns(before, pipeline) } });
    if (request.archived === true) recordArchiving(context, pipeline, true);
    return { ...subject, pipeline };
  },
});

/**
 * New name and slug; null if both stay. A new name brings a new slug unless the request names one; a null slug asks for
 * that.
 */
async function newNaming(context: Context, request: Input, before: PipelineRow): Promise<Naming | null> {
  const name = request.name ?? before.name;
  const derive = request.slug === null || (request.slug === undefined && name !== before.name);
  const naming = nameWithSlug(name, derive ? null : (request.slug ?? before.slug));
  if (naming.name === before.name && naming.slug === before.slug) return null;
  await refuseTaken(context, before.organizationId, naming, before.id);
  return naming;
}

interface References {
  clusterId?: string | null;
  pipelineTemplateId?: string | null;
}

/** Null removes the cluster or the template; a blank cluster, which some clients always send, changes nothing. */
async function newReferences(
  context: Context,
  organization: OrganizationRow,
  request: Input,
  before: PipelineRow,
): Promise<References> {
  const references: References = {};
  if (request.clusterId === null) references.clusterId = null;
  else if (request.clusterId) references.clusterId = await requireCluster(context, organization, request.clusterId);
  if (request.pipelineTemplateId === null || request.pipelineTemplateId === '') references.pipelineTemplateId = null;
  // Sending the current template assigns nothing: it is accepted even if the template is no longer available.
  else if (
    request.pipelineTemplateId !== undefined &&
    idFromEither(request.pipelineTemplateId, ['PipelineTemplate']) !== before.pipelineTemplateId
  ) {
    references.pipelineTemplateId = await requireTemplate(context, organization, request.pipelineTemplateId);
  }
  return references;
}

/**
 * New steps; null if they stay. A configuration replaces everything. Visual steps and `env` alone apply only to
 * pipelines made of visual steps and are refused elsewhere. Blank text beside a template means that the pipeline has no
 * steps of its own.
 */
async function newDefinition(
  context: Context,
  request: Input,
  before: PipelineRow,
  hasTemplate: boolean,
): Promise<DefinitionColumns | null> {
  const yaml = before.configuration !== null;
  if (!hasConfiguration(request) && request.steps && yaml) throw invalid([configurationMissing]);
  const definition = await definitionColumns(context, envOf(request, before));
  if (definition) return definition;
  const visual = before.visualSteps !== null;
  const blanked = request.configuration !== undefined && (yaml || request.configuration !== null);
  if (blanked || !(yaml || visual)) {
    if (!hasTemplate) throw invalid([configurationMissing]);
    return blanked ? { configuration: null, visualSteps: null, env: null } : null;
  }
  if (!visual && request.env && Object.keys(request.env).length > 0)
    throw invalidField('env', 'belongs to visual steps; write `env` into the configuration of this pipeline');
  return visual && request.env !== undefined
    ? { configuration: null, visualSteps: before.visualSteps, env: request.env ?? {} }
    : null;
}

/** New visual steps keep the environment of the definition unless the request has one. */
function envOf(request: DefinitionInput, before: PipelineRow): DefinitionInput {
  return request.env === undefined ? { ...request, env: before.env } : request;
}

/** Build numbers only ever increase. */
function newBuildNumber(request: number | null | undefined, before: PipelineRow): number {
  if (request == null) return before.nextBuildNumber;
  if (request < before.nextBuildNumber)
    throw invalidField('nextBuildNumber', `must not be less than ${before.nextBuildNumber}`);
  return request;
}

/** Columns left out of the list of changes: archiving has events of its own. */
const unlisted: ReadonlySet<keyof PipelineRow> = new Set(['updatedAt', 'archivedAt', 'archivedById']);

function changedColumns(before: PipelineRow, after: PipelineRow): string[] {
  const keys = Object.keys(after) as (keyof PipelineRow)[];
  return keys.filter((key) => !unlisted.has(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}
