import type { Context } from '../../../request/context.js';
import { typeOfAction } from '../../../domain/agents/organization-rules.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { NotificationServiceRow, OrganizationRow } from '../../../entities/database.js';
import { isSecretSetting } from '../../integrations/notification-services/service-settings.js';
import { exportPipelines } from './export-pipelines.js';
import { scoped, serviceFields } from './apply-services.js';
import { ascending, type Exported, secretNamed } from './exported.js';

/** An organization as an entry of the provisioning file; secrets are names of variables. */
export async function exportOrganization(context: Context, organization: OrganizationRow): Promise<Exported> {
  const { db } = context;
  const { id, slug } = organization;
  const inHere = { organizationId: id };
  const clusters = await db
    .selectFrom('clusters')
    .selectAll()
    .where('organizationId', '=', id)
    .orderBy('name')
    .execute();
  const members = await db
    .selectFrom('organization_members as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['u.email as user', 'm.role'])
    .where('m.organizationId', '=', id)
    .orderBy('u.email')
    .execute();
  const domains = await db.selectFrom('sso_domains').selectAll().where('organizationId', '=', id).execute();
  const suites = await db.selectFrom('suites').selectAll().where('organizationId', '=', id).orderBy('slug').execute();
  const templates = await db
    .selectFrom('pipeline_templates')
    .selectAll()
    .where('organizationId', '=', id)
    .orderBy('name')
    .execute();
  return {
    slug,
    name: organization.name,
    id,
    plan: organization.plan,
    teamsEnabled: organization.teamsEnabled,
    defaultCluster: clusters.find((cluster) => cluster.id === organization.defaultClusterId)?.name,
    retention: organization.retention,
    buildExport: organization.buildExport,
    sso:
      domains.length > 0
        ? { domains: domains.map(({ domain }) => domain).sort(ascending), role: domains[0]?.role }
        : undefined,
    members,
    clusters: await Promise.all(clusters.map((cluster) => exportCluster(context, slug, cluster))),
    templates: templates.map(({ name, configuration, description, available }) => ({
      name,
      configuration,
      description,
      available,
    })),
    pipelines: await exportPipelines(context, inHere.organizationId, clusters, templates),
    teams: await exportTeams(context, id),
    suites: suites.map((suite) => ({
      slug: suite.slug,
      name: suite.name,
      id: suite.id,
      defaultBranch: suite.defaultBranch,
      token: secretNamed('SUITE_TOKEN', slug, suite.slug),
    })),
    rules: await exportRules(context, id),
    secrets: await exportSecrets(context, slug, clusters),
    notificationServices: await exportServices(context, organization),
    providerConnections: await exportConnections(context, organization),
  };
}

async function exportCluster(
  { db }: Context,
  organization: string,
  cluster: { id: string; name: string; description: string | null; defaultQueueId: string | null },
): Promise<Exported> {
  const queues = await db
    .selectFrom('cluster_queues')
    .selectAll()
    .where('clusterId', '=', cluster.id)
    .orderBy('key')
    .execute();
  const tokens = await db
    .selectFrom('agent_tokens')
    .selectAll()
    .where('clusterId', '=', cluster.id)
    .where('revokedAt', 'is', null)
    .orderBy('id')
    .execute();
  return {
    name: cluster.name,
    id: cluster.id,
    description: cluster.description,
    queues: queues.map(({ key, id, description, pricePerAgentHour }) => ({ key, id, description, pricePerAgentHour })),
    defaultQueue: queues.find(({ id }) => id === cluster.defaultQueueId)?.key,
    // A description is the identity of a token in the file: of several with the same one, the oldest is it.
    agentTokens: [...new Set(tokens.map(({ description }) => description))].map((description) => ({
      description,
      token: secretNamed('AGENT_TOKEN', organization, cluster.name, description),
    })),
  };
}

async function exportTeams({ db }: Context, organizationId: string): Promise<Exported[]> {
  const teams = await db
    .selectFrom('teams')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('slug')
    .execute();
  const members = await db
    .selectFrom('team_members as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.teamId', 'u.email as user', 'm.role'])
    .where('m.organizationId', '=', organizationId)
    .orderBy('u.email')
    .execute();
  const pipelines = await db
    .selectFrom('team_pipelines as t')
    .innerJoin('pipelines as p', 'p.id', 't.pipelineId')
    .select(['t.teamId', 'p.slug', 't.accessLevel'])
    .where('t.organizationId', '=', organizationId)
    .orderBy('p.slug')
    .execute();
  return teams.map(({ id, slug, name }) => ({
    slug,
    name,
    id,
    members: members.filter(({ teamId }) => teamId === id).map(({ user, role }) => ({ user, role })),
    pipelines: pipelines
      .filter(({ teamId }) => teamId === id)
      .map((access) => ({ slug: access.slug, accessLevel: access.accessLevel })),
  }));
}

async function exportRules({ db }: Context, organizationId: string): Promise<Exported[]> {
  const rules = await db
    .selectFrom('rules as r')
    .innerJoin('pipelines as s', 's.id', 'r.sourcePipelineId')
    .innerJoin('pipelines as t', 't.id', 'r.targetPipelineId')
    .select(['r.action', 'r.conditions', 'r.description', 's.slug as source', 't.slug as target'])
    .where('r.organizationId', '=', organizationId)
    .orderBy('r.id')
    .execute();
  return rules.map(({ action, conditions, description, source, target }) => ({
    type: typeOfAction(action),
    value: { source_pipeline: source, target_pipeline: target, ...(conditions.length > 0 ? { conditions } : {}) },
    description,
  }));
}

async function exportSecrets(
  { db }: Context,
  organization: string,
  clusters: { id: string; name: string }[],
): Promise<Exported[]> {
  if (clusters.length === 0) return [];
  const names = new Map(clusters.map(({ id, name }) => [id, name]));
  const secrets = await db
    .selectFrom('cluster_secrets')
    .select(['clusterId', 'key', 'description', 'policy'])
    .where('clusterId', 'in', [...names.keys()])
    .orderBy('id')
    .execute();
  return secrets.map(({ clusterId, key, description, policy }) => {
    const cluster = names.get(clusterId) ?? '';
    return { cluster, key, value: secretNamed('SECRET', organization, cluster, key), description, policy };
  });
}

async function exportServices(context: Context, organization: OrganizationRow): Promise<Exported[]> {
  const rows = await context.db
    .selectFrom('notification_services')
    .selectAll()
    .where('organizationId', '=', organization.id)
    .orderBy('id')
    .execute();
  return Promise.all(
    rows.map(async (row) => {
      const { id: _, settings, branchConfiguration, ...fields } = serviceFields(context, row);
      return {
        ...fields,
        branchConfiguration: branchConfiguration || undefined,
        scopeUuids: await namesOf(context, row),
        settings: exportedSettings(organization, row, settings),
      };
    }),
  );
}

async function exportConnections({ db }: Context, { id, slug }: OrganizationRow): Promise<Exported[]> {
  const rows = await db
    .selectFrom('provider_connections')
    .selectAll()
    .where('organizationId', '=', id)
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const name = row.name ?? row.host;
    const secret = secretNamed(row.appId === null ? 'PROVIDER_TOKEN' : 'PROVIDER_KEY', slug, name);
    return {
      name,
      provider: row.provider,
      apiUrl: row.apiUrl,
      host: row.host,
      username: row.username ?? undefined,
      ...(row.appId === null ? { token: secret } : { appId: row.appId, privateKey: secret }),
      ...(row.webhookSecret === null ? {} : { webhookSecret: secretNamed('WEBHOOK_SECRET', slug, name) }),
    };
  });
}

/** The settings of a service, each secret as a variable of its own; of a map each of its texts. */
function exportedSettings(
  { slug }: OrganizationRow,
  { provider, description }: NotificationServiceRow,
  settings: JsonObject,
): Exported {
  const nameOf = (name: string) => `NOTIFICATION_${name.toUpperCase()}`;
  const entries = Object.entries(settings).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!isSecretSetting(provider, name)) return [name, value];
      if (typeof value !== 'object' || value === null) return [name, secretNamed(nameOf(name), slug, description)];
      const keys = Object.keys(value);
      return [name, Object.fromEntries(keys.map((key) => [key, secretNamed(nameOf(name), slug, description, key)]))];
    }),
  );
}

/** Names of what a service's scope holds; undefined where it holds nothing. */
async function namesOf(
  { db }: Context,
  { scope, scopeIds }: { scope: 'all' | keyof typeof scoped; scopeIds: string[] },
): Promise<string[] | undefined> {
  if (scope === 'all' || scopeIds.length === 0) return undefined;
  const { table, column } = scoped[scope];
  const rows = await db
    .selectFrom(table as 'pipelines')
    .select(['id', column as 'slug'])
    .where('id', 'in', scopeIds)
    .execute();
  const names = new Map(rows.map((row) => [row.id, (row as unknown as Record<string, string>)[column] ?? '']));
  return scopeIds.flatMap((id) => names.get(id) ?? []);
}
