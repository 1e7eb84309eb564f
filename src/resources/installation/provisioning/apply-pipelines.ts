import type { Context } from '../../../request/context.js';
import type { PipelineRow } from '../../../entities/database.js';
import { applyDeclared, asWhole, type Commands } from './apply-declared.js';
import type { Ledger } from './ledger.js';
import type { PlannedPipeline, PlannedSchedule } from './plan-declared.js';
import type { Within } from './within.js';

/** Applies the planned pipelines of an organization, with their schedules. */
export async function applyPipelines(
  context: Context,
  ledger: Ledger,
  within: Within,
  pipelines: PlannedPipeline[],
  commands: Commands,
): Promise<void> {
  const { organizationId, slug } = within;
  for (const [index, { schedules, cluster, template, ...planned }] of pipelines.entries()) {
    const path = `${within.path}.pipelines.${index}`;
    const name = `${slug}/${planned.slug}`;
    const clusterId = cluster === undefined ? planned.clusterId : await findCluster(context, organizationId, cluster);
    const templateId =
      template === undefined ? planned.pipelineTemplateId : await findTemplate(context, organizationId, template);
    if (clusterId === null && cluster !== undefined)
      ledger.refuse(`${path}.cluster`, `there is no cluster ${cluster} in organization ${slug}`);
    if (templateId === null && template !== undefined)
      ledger.refuse(`${path}.template`, `there is no template ${template} in organization ${slug}`);
    const row = await findPipeline(context, organizationId, planned.slug);
    const values = {
      ...planned,
      clusterId: clusterId ?? undefined,
      pipelineTemplateId: templateId ?? undefined,
      env: planned.env == null ? undefined : asWhole(planned.env),
      retention: planned.retention == null ? undefined : asWhole(planned.retention),
      // Build numbers only increase: a later number is as good as the planned one.
      nextBuildNumber:
        row && (planned.nextBuildNumber ?? 0) <= row.nextBuildNumber ? undefined : planned.nextBuildNumber,
    };
    const id = await applyDeclared(context, ledger, {
      kind: 'pipeline',
      name,
      path,
      organizationId,
      values,
      current: row ? pipelineFields(row) : null,
      create: async () =>
        idOf(await commands.createPipeline(context, { ...values, organization: { id: organizationId } }), 'pipeline'),
      update: (changed, pipeline) =>
        // A new name would bring a new slug, which is the identity here.
        commands.updatePipeline(context, { ...changed, slug: planned.slug, pipeline: { id: pipeline } }),
    });
    if (id) await applySchedules(context, ledger, { organizationId, slug: name, path }, id, schedules, commands);
  }
}

/** The row that an operation answers with, by its name in the answer. */
export function idOf(output: unknown, name: string): string {
  return (output as Record<string, { id: string } | undefined>)[name]?.id ?? '';
}

/** A pipeline in the form of its input. */
export function pipelineFields({ visualSteps, ...row }: PipelineRow) {
  return { ...row, steps: visualSteps, env: asWhole(row.env ?? {}) };
}

async function applySchedules(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  pipelineId: string,
  schedules: PlannedSchedule[],
  commands: Commands,
): Promise<void> {
  for (const [index, planned] of schedules.entries()) {
    const row = await context.db
      .selectFrom('pipeline_schedules')
      .selectAll()
      .where('pipelineId', '=', pipelineId)
      .where('label', '=', planned.label)
      .orderBy('id')
      .executeTakeFirst();
    const values = { ...planned, env: planned.env == null ? undefined : asWhole(planned.env) };
    await applyDeclared(context, ledger, {
      kind: 'schedule',
      name: `${slug}/${planned.label}`,
      path: `${path}.schedules.${index}`,
      organizationId,
      values,
      current: row ? { ...row, env: asWhole(row.env) } : null,
      create: async () =>
        idOf(await commands.createSchedule(context, { ...values, pipeline: { id: pipelineId } }), 'pipelineSchedule'),
      update: (changed, id) => commands.updateSchedule(context, { ...changed, pipelineSchedule: { id } }),
    });
  }
}

export const findPipeline = (context: Context, organizationId: string, slug: string) =>
  context.db
    .selectFrom('pipelines')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst();

export async function findCluster(context: Context, organizationId: string, name: string): Promise<string | null> {
  const row = await context.db
    .selectFrom('clusters')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function findTemplate(context: Context, organizationId: string, name: string): Promise<string | null> {
  const row = await context.db
    .selectFrom('pipeline_templates')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('name', '=', name)
    .orderBy('id')
    .executeTakeFirst();
  return row?.id ?? null;
}
