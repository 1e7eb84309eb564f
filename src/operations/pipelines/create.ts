import type { InsertObject } from 'kysely';
import { z } from 'zod';
import { pipelineAccess } from '../../auth/authorize.js';
import type { Context } from '../../request/context.js';
import { type FieldProblem, forbidden, invalid } from '../../domain/problem.js';
import type { Database, OrganizationRow, PipelineRow } from '../../entities/database.js';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject, PipelineSubject } from '../../core/subject.js';
import {
  definitionFields,
  pipelineName,
  pipelineSlug,
  referenceFields,
  repositoryUrl,
  settingFields,
  teamFields,
} from '../../resources/pipelines/fields.js';
import {
  configurationMissing,
  definitionColumns,
  hasConfiguration,
  noDefinition,
} from '../../resources/pipelines/definition-columns.js';
import { nameWithSlug, type Naming, refuseTaken } from '../../resources/pipelines/names.js';
import { providerColumns } from '../../resources/pipelines/provider.js';
import { recordPipeline } from '../../resources/pipelines/record.js';
import { clusterForCreation, requireTemplate } from '../../resources/pipelines/references.js';
import { refusePublic, settingColumns } from '../../resources/pipelines/settings.js';
import { pipelineTeams, type TeamAccess } from '../../resources/pipelines/creation-teams.js';
import { badgeTokenColumns, webhookTokenColumns } from '../../resources/pipelines/url-token.js';

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

/** Fields that decide whether a pipeline lacks a cluster or steps, of a request that the schema may refuse. */
const lenientInput = z.object({
  organization: organizationAddress,
  clusterId: z.string().nullish().catch(''),
  configuration: z.string().nullish().catch(null),
  steps: z.array(z.unknown()).nullish().catch([]),
  pipelineTemplateId: z.string().nullish().catch(null),
});

/** The cluster and the steps of a new pipeline, where the request names none and nothing stands in for them. */
function missingFields(
  organization: OrganizationRow,
  request: Omit<z.output<typeof lenientInput>, 'organization'>,
): FieldProblem[] {
  const withoutCluster = request.clusterId === undefined && organization.defaultClusterId === null;
  const withoutSteps = !hasConfiguration(request) && !request.steps && !request.pipelineTemplateId;
  return [
    ...(withoutCluster ? [{ field: 'clusterId', code: 'missing' }] : []),
    ...(withoutSteps ? [configurationMissing] : []),
  ];
}

/**
 * Creates a pipeline from YAML, visual steps or a template, and returns it with the creator's access level. Throws
 * `invalid`, naming every field: a taken name or slug, steps that do not parse, an unknown cluster, template or team,
 * wrong provider settings.
 */
export const createPipeline = defineOperation({
  name: 'pipeline.create',
  summary: 'Creates a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'member',
  input,
  alsoMissing: async (context, raw) => {
    const request = lenientInput.safeParse(raw);
    const subject = request.success ? await findOrganization(context, request.data.organization) : null;
    return subject && request.success ? missingFields(subject.organization, request.data) : [];
  },
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<PipelineSubject> => {
    refusePublic(request, organization);
    const missing = missingFields(organization, request);
    if (missing.length > 0) throw invalid(missing);
    const naming = nameWithSlug(request.name, request.slug);
    await refuseTaken(context, organization.id, naming);
    const teams = await pipelineTeams(context, organization, request);
    const clusterId = await clusterForCreation(context, organization, request.clusterId);
    const pipelineTemplateId = request.pipelineTemplateId
      ? await requireTemplate(context, organization, request.pipelineTemplateId)
      : null;
    const definition = (await definitionColumns(context, request)) ?? noDefinition;
    const provider = providerColumns(request.repository, null, request.providerSettings);
    const pipeline = await insert(context, organization.id, naming, {
      repository: request.repository,
      clusterId,
      pipelineTemplateId,
      configuration: definition.configuration,
      visualSteps: definition.visualSteps,
      env: definition.env,
      providerId: provider.providerId,
      providerSettings: provider.providerSettings,
      nextBuildNumber: request.nextBuildNumber ?? 1,
      ...settingColumns(request, { complete: true, defaultBranch: organization.defaultBranch }),
    });
    await insertTeams(context, pipeline, teams);
    recordPipeline(context, pipeline, { type: 'pipeline.create', to: 'active' });
    const level = await pipelineAccess(context.db, context.actor, organization, pipeline);
    if (!level) throw forbidden();
    return { organization, pipeline, level };
  },
});

type UrlTokenColumns = ReturnType<typeof webhookTokenColumns> & ReturnType<typeof badgeTokenColumns>;
type Columns = Omit<
  InsertObject<Database, 'pipelines'>,
  'id' | 'organizationId' | 'name' | 'slug' | keyof UrlTokenColumns | 'createdById' | 'createdAt' | 'updatedAt'
>;

/** Inserts the row. If a concurrent request has taken the name or slug, throws the same error as the check. */
async function insert(
  context: Context,
  organizationId: string,
  naming: Naming,
  columns: Columns,
): Promise<PipelineRow> {
  const row = await context.db
    .insertInto('pipelines')
    .values({
      id: context.newId(),
      organizationId,
      name: naming.name,
      slug: naming.slug,
      ...webhookTokenColumns(context.services),
      ...badgeTokenColumns(context.services),
      createdById: context.userId,
      createdAt: context.now,
      updatedAt: context.now,
      ...columns,
    })
    // A refused insert would end the transaction, so that a conflict of name and one of slug could not be
    // distinguished.
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) return row;
  await refuseTaken(context, organizationId, naming);
  throw new Error('a new pipeline conflicts with no other');
}

async function insertTeams(context: Context, pipeline: PipelineRow, teams: TeamAccess[]): Promise<void> {
  if (teams.length === 0) return;
  const common = {
    organizationId: pipeline.organizationId,
    pipelineId: pipeline.id,
    createdById: context.userId,
    createdAt: context.now,
  };
  await context.db
    .insertInto('team_pipelines')
    .values(teams.map((team) => ({ id: context.newId(), ...common, ...team })))
    .execute();
}
