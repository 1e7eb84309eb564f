import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { typeOfAction } from '../../../domain/agents/organization-rules.js';
import { type PrunedKey, prunedKeys } from '../../../domain/installation/pruned-keys.js';
import type { Commands } from './apply-declared.js';
import type { Ledger, ProvisionedKind } from './ledger.js';
import type { PlannedOrganization } from './plan.js';

interface Prunable {
  kind: ProvisionedKind;
  /** Rows of an organization with their names below the organization's. */
  rows: (context: Context, organizationId: string) => Promise<{ id: string; name: string }[]>;
  /** Names of the plan's entries, in the same form. */
  planned: (organization: PlannedOrganization, defaultCluster: string | null) => string[];
  remove: (commands: Commands, context: Context, id: string) => Promise<unknown>;
}

const named =
  (table: 'pipelines' | 'teams' | 'suites' | 'pipeline_templates' | 'notification_services', column: string) =>
  (context: Context, organizationId: string) =>
    context.db
      .selectFrom(table as 'pipelines')
      .select(['id', sql.ref<string>(column).as('name')])
      .where('organizationId', '=', organizationId)
      .orderBy('id')
      .execute();

const prunable: Record<PrunedKey, Prunable> = {
  rules: {
    kind: 'rule',
    rows: async (context, organizationId) => {
      const rows = await context.db
        .selectFrom('rules as r')
        .innerJoin('pipelines as s', 's.id', 'r.sourcePipelineId')
        .innerJoin('pipelines as t', 't.id', 'r.targetPipelineId')
        .select(['r.id', 'r.action', 's.slug as source', 't.slug as target'])
        .where('r.organizationId', '=', organizationId)
        .orderBy('r.id')
        .execute();
      return rows.map(({ id, action, source, target }) => ({
        id,
        name: `${typeOfAction(action)}/${source}/${target}`,
      }));
    },
    planned: ({ rules }) => rules.map(({ type, value }) => `${type}/${value.source_pipeline}/${value.target_pipeline}`),
    remove: (commands, context, id) => commands.deleteRule(context, { rule: { id } }),
  },
  notification_services: {
    kind: 'notification service',
    rows: named('notification_services', 'description'),
    planned: ({ notificationServices }) => notificationServices.map(({ description }) => description),
    remove: (commands, context, id) => commands.deleteService(context, { service: { id } }),
  },
  secrets: {
    kind: 'secret',
    rows: async (context, organizationId) => {
      const rows = await context.db
        .selectFrom('cluster_secrets as s')
        .innerJoin('clusters as c', 'c.id', 's.clusterId')
        .select(['s.id', 's.key', 'c.name as cluster'])
        .where('s.organizationId', '=', organizationId)
        .orderBy('s.id')
        .execute();
      return rows.map(({ id, key, cluster }) => ({ id, name: `${cluster}/${key}` }));
    },
    planned: ({ secrets }, defaultCluster) => secrets.map(({ cluster, key }) => `${cluster ?? defaultCluster}/${key}`),
    remove: (commands, context, id) => commands.deleteSecret(context, { secret: { id } }),
  },
  schedules: {
    kind: 'schedule',
    rows: async (context, organizationId) => {
      const rows = await context.db
        .selectFrom('pipeline_schedules as s')
        .innerJoin('pipelines as p', 'p.id', 's.pipelineId')
        .select(['s.id', 's.label', 'p.slug'])
        .where('s.organizationId', '=', organizationId)
        .orderBy('s.id')
        .execute();
      return rows.map(({ id, label, slug }) => ({ id, name: `${slug}/${label}` }));
    },
    planned: ({ pipelines }) =>
      pipelines.flatMap(({ slug, schedules }) => schedules.map(({ label }) => `${slug}/${label}`)),
    remove: (commands, context, id) => commands.deleteSchedule(context, { pipelineSchedule: { id } }),
  },
  pipelines: {
    kind: 'pipeline',
    rows: named('pipelines', 'slug'),
    planned: ({ pipelines }) => pipelines.map(({ slug }) => slug),
    remove: (commands, context, id) => commands.deletePipeline(context, { pipeline: { id } }),
  },
  templates: {
    kind: 'template',
    rows: named('pipeline_templates', 'name'),
    planned: ({ templates }) => templates.map(({ name }) => name),
    remove: (commands, context, id) => commands.deleteTemplate(context, { pipelineTemplate: { id } }),
  },
  teams: {
    kind: 'team',
    rows: named('teams', 'slug'),
    planned: ({ teams }) => teams.map(({ slug }) => slug),
    remove: (commands, context, id) => commands.deleteTeam(context, { team: { id } }),
  },
  suites: {
    kind: 'suite',
    rows: named('suites', 'slug'),
    planned: ({ suites }) => suites.map(({ slug }) => slug),
    remove: (commands, context, id) => commands.deleteSuite(context, { suite: { id } }),
  },
};

/** Deletes, in the organizations of the plan, what the plan does not name of these kinds. Other organizations stay. */
export async function prune(
  context: Context,
  ledger: Ledger,
  organizations: PlannedOrganization[],
  keys: readonly PrunedKey[],
  commands: Commands,
): Promise<void> {
  for (const organization of organizations) {
    const row = await context.db
      .selectFrom('organizations as o')
      .leftJoin('clusters as c', 'c.id', 'o.defaultClusterId')
      .select(['o.id', 'c.name as defaultCluster'])
      .where('o.slug', '=', organization.slug)
      .executeTakeFirst();
    if (!row) continue;
    for (const key of prunedKeys.filter((pruned) => keys.includes(pruned))) {
      const { kind, rows, planned, remove } = prunable[key];
      const keep = new Set(planned(organization, row.defaultCluster));
      for (const { id, name } of await rows(context, row.id)) {
        if (keep.has(name)) continue;
        await remove(commands, context, id);
        ledger.note({ action: 'deleted', kind, name: `${organization.slug}/${name}`, id, organizationId: row.id });
      }
    }
  }
}
