import type { InsertObject } from 'kysely';
import { z } from 'zod';
import { pipelineAccess } from '../../auth/authorize.js';
import type { Context } from '../../context.js';
import { jsonb, jsonbOrNull } from '../../database/row-conversion.js';
import { forbidden, invalid } from '../../domain/problem.js';
import type { Database, PipelineRow } from '../../entities/database.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject, PipelineSubject } from '../subject.js';
import { definitionFields, pipelineName, pipelineSlug, referenceFields, repositoryUrl, settingFields, teamFields } from './fields.js';
import { configurationMissing, definitionColumns, noDefinition } from './given-definition.js';
import { nameWithSlug, type Naming, refuseTaken } from './names.js';
import { providerColumns } from './provider.js';
import { recordPipeline } from './record.js';
import { clusterForCreation, requireTemplate } from './references.js';
import { settingColumns } from './settings.js';
import { type TeamAccess, teamsForCreation } from './teams-given.js';
import { newUrlToken } from './url-token.js';

const input = z.object({
  organization: organizationAddress,
  name: pipelineName,
  repository: repositoryUrl,
  slug: pipelineSlug.nullish(),
  ...definitionFields,
  ...settingFields,
  ...referenceFields,
  ...teamFields,
});

/**
 * Creates a pipeline of YAML, of visual steps or of a template, and returns it with the creator's level on it.
 * Refusals name every field as api-v2.md does: a taken name or slug, steps that do not parse, an unknown cluster,
 * template or team, wrong provider settings.
 */
export const createPipeline = defineOperation({
  name: 'pipeline.create',
  summary: 'Creates a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'member',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, given, { organization }: OrganizationSubject): Promise<PipelineSubject> => {
    const naming = nameWithSlug(given.name, given.slug);
    await refuseTaken(context, organization.id, naming);
    const teams = await teamsForCreation(context, organization, given);
    const clusterId = await clusterForCreation(context, organization, given.clusterId);
    const pipelineTemplateId = given.pipelineTemplateId ? await requireTemplate(context, organization, given.pipelineTemplateId) : null;
    const definition = definitionColumns(given) ?? (pipelineTemplateId === null ? null : noDefinition);
    if (!definition) throw invalid([configurationMissing]);
    const provider = providerColumns(given.repository, null, given.providerSettings);
    const pipeline = await insert(context, organization.id, naming, {
      repository: given.repository,
      clusterId,
      pipelineTemplateId,
      configuration: definition.configuration,
      visualSteps: jsonbOrNull(definition.visualSteps),
      env: jsonbOrNull(definition.env),
      providerId: provider.providerId,
      providerSettings: jsonb(provider.providerSettings),
      nextBuildNumber: given.nextBuildNumber ?? 1,
      ...settingColumns(given, { complete: true }),
    });
    await insertTeams(context, pipeline, teams);
    recordPipeline(context, pipeline, { type: 'pipeline.create', to: 'active' });
    const level = await pipelineAccess(context.db, context.actor, organization, pipeline);
    if (!level) throw forbidden();
    return { organization, pipeline, level };
  },
});

type Columns = Omit<InsertObject<Database, 'pipelines'>, 'id' | 'organizationId' | 'name' | 'slug' | 'webhookToken' | 'badgeToken' | 'createdById' | 'createdAt' | 'updatedAt'>;

/** Inserts the row; loses to another request that took the name or slug meanwhile with the same refusal as the check gives. */
async function insert(context: Context, organizationId: string, naming: Naming, columns: Columns): Promise<PipelineRow> {
  const row = await context.db
    .insertInto('pipelines')
    .values({
      id: context.newId(),
      organizationId,
      name: naming.name,
      slug: naming.slug,
      webhookToken: newUrlToken(),
      badgeToken: newUrlToken(),
      createdById: context.userId,
      createdAt: context.now,
      updatedAt: context.now,
      ...columns,
    })
    // A refused insert would end the transaction and leave nobody to say which of the two was taken.
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) return row;
  await refuseTaken(context, organizationId, naming);
  throw new Error('a new pipeline conflicts with no other');
}

async function insertTeams(context: Context, pipeline: PipelineRow, teams: TeamAccess[]): Promise<void> {
  if (teams.length === 0) return;
  const common = { organizationId: pipeline.organizationId, pipelineId: pipeline.id, createdById: context.userId, createdAt: context.now };
  await context.db.insertInto('team_pipelines').values(teams.map((team) => ({ id: context.newId(), ...common, ...team }))).execute();
}
