import { z } from 'zod';
import type { Context } from '../../context.js';
import { jsonb, jsonbOrNull } from '../../database/row-conversion.js';
import { idFromEither } from '../../domain/node-id.js';
import { invalid, invalidField, wrongState } from '../../domain/problem.js';
import type { OrganizationRow, PipelineRow } from '../../entities/database.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';
import { archiveColumns, recordArchiving } from './archiving.js';
import { definitionFields, pipelineName, pipelineSlug, referenceFields, repositoryUrl, settingFields } from './fields.js';
import { configurationMissing, type DefinitionColumns, definitionColumns, type GivenDefinition, hasConfiguration } from './given-definition.js';
import { nameWithSlug, type Naming, refuseTaken, takenMeanwhile } from './names.js';
import { providerColumns } from './provider.js';
import { recordPipeline } from './record.js';
import { requireCluster, requireTemplate } from './references.js';
import { settingColumns } from './settings.js';

const input = z.object({
  pipeline: pipelineAddress,
  name: pipelineName.optional(),
  repository: repositoryUrl.optional(),
  slug: pipelineSlug.nullish(),
  ...definitionFields,
  ...settingFields,
  ...referenceFields,
  /** Into the archive, or out of it, with the same change; no field of /v2, which has requests for it. */
  archived: z.boolean().nullish(),
});
type Given = z.output<typeof input>;

/**
 * Changes what is given of a pipeline and leaves the rest: absent is not null, which puts a default back. Teams are
 * not among it (api-v2, PATCH, rule 4). An archived pipeline is read-only, unless the change takes it out of the archive.
 */
export const updatePipeline = defineOperation({
  name: 'pipeline.update',
  summary: 'Updates a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input,
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, given, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { organization, pipeline: before } = subject;
    if (given.archived !== false) refuseArchived(before);
    const archiving = given.archived == null ? null : archiveColumns(context, before, given.archived);
    const naming = await newNaming(context, given, before);
    const references = await newReferences(context, organization, given, before);
    const template = references.pipelineTemplateId === undefined ? before.pipelineTemplateId : references.pipelineTemplateId;
    const definition = newDefinition(given, before, template !== null);
    const repository = given.repository ?? before.repository;
    const provider = given.repository === undefined && !given.providerSettings ? null : providerColumns(repository, before, given.providerSettings);
    const pipeline = await context.db
      .updateTable('pipelines')
      .set({
        ...(naming ? { name: naming.name, slug: naming.slug } : {}),
        ...references,
        ...(definition ? { configuration: definition.configuration, visualSteps: jsonbOrNull(definition.visualSteps), env: jsonbOrNull(definition.env) } : {}),
        repository,
        ...(provider ? { providerId: provider.providerId, providerSettings: jsonb(provider.providerSettings) } : {}),
        nextBuildNumber: newBuildNumber(given.nextBuildNumber, before),
        ...settingColumns(given),
        ...archiving,
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => Promise.reject(takenMeanwhile(error)));
    if (given.archived === false) recordArchiving(context, pipeline, false);
    recordPipeline(context, pipeline, { type: 'pipeline.update', data: { changed: changedColumns(before, pipeline) } });
    if (given.archived === true) recordArchiving(context, pipeline, true);
    return { ...subject, pipeline };
  },
});

/** An archived pipeline is read-only (api-v2, Pipeline lifecycle). */
export function refuseArchived(pipeline: PipelineRow): void {
  if (pipeline.archivedAt !== null) throw wrongState('Pipeline is archived and cannot be changed. Unarchive it first.');
}

/** The new name and slug, null where both stay. A new name brings a new slug unless one is given; a null slug asks for that. */
async function newNaming(context: Context, given: Given, before: PipelineRow): Promise<Naming | null> {
  const name = given.name ?? before.name;
  const derive = given.slug === null || (given.slug === undefined && name !== before.name);
  const naming = nameWithSlug(name, derive ? null : (given.slug ?? before.slug));
  if (naming.name === before.name && naming.slug === before.slug) return null;
  await refuseTaken(context, before.organizationId, naming, before.id);
  return naming;
}

interface References {
  clusterId?: string | null;
  pipelineTemplateId?: string | null;
}

/** Null removes the cluster or the template; a blank cluster, as clients that always send one do, leaves it. */
async function newReferences(context: Context, organization: OrganizationRow, given: Given, before: PipelineRow): Promise<References> {
  const references: References = {};
  if (given.clusterId === null) references.clusterId = null;
  else if (given.clusterId) references.clusterId = await requireCluster(context, organization, given.clusterId);
  if (given.pipelineTemplateId === null || given.pipelineTemplateId === '') references.pipelineTemplateId = null;
  // Sending back what is set is no assignment: it stays, even where the template is no longer available.
  else if (given.pipelineTemplateId !== undefined && idFromEither(given.pipelineTemplateId, ['PipelineTemplate']) !== before.pipelineTemplateId) {
    references.pipelineTemplateId = await requireTemplate(context, organization, given.pipelineTemplateId);
  }
  return references;
}

/**
 * The new steps, null where they stay. A configuration replaces everything; visual steps are for pipelines made of
 * them (rulings 3); `env` alone is for those too, and ignored elsewhere. Blank text beside a template means that the
 * pipeline has no steps of its own.
 */
function newDefinition(given: Given, before: PipelineRow, hasTemplate: boolean): DefinitionColumns | null {
  const yaml = before.configuration !== null;
  if (!hasConfiguration(given) && given.steps && yaml) throw invalid([configurationMissing]);
  const definition = definitionColumns(envOf(given, before));
  if (definition) return definition;
  const visual = before.visualSteps !== null;
  const blanked = given.configuration !== undefined && (yaml || given.configuration !== null);
  if (blanked || !(yaml || visual)) {
    if (!hasTemplate) throw invalid([configurationMissing]);
    return blanked ? { configuration: null, visualSteps: null, env: null } : null;
  }
  return visual && given.env !== undefined ? { configuration: null, visualSteps: before.visualSteps, env: given.env ?? {} } : null;
}

/** New visual steps keep the environment unless another is given. */
function envOf(given: GivenDefinition, before: PipelineRow): GivenDefinition {
  return given.env === undefined ? { ...given, env: before.env } : given;
}

/** Build numbers only ever increase (I3). */
function newBuildNumber(given: number | null | undefined, before: PipelineRow): number {
  if (given == null) return before.nextBuildNumber;
  if (given < before.nextBuildNumber) throw invalidField('nextBuildNumber', `must not be less than ${before.nextBuildNumber}`);
  return given;
}

/** What no list of changes names: the archive has events of its own. */
const unlisted: ReadonlySet<keyof PipelineRow> = new Set(['updatedAt', 'archivedAt', 'archivedById']);

function changedColumns(before: PipelineRow, after: PipelineRow): string[] {
  const keys = Object.keys(after) as (keyof PipelineRow)[];
  return keys.filter((key) => !unlisted.has(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}
