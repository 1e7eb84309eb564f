import type { Context } from '../../../request/context.js';
import { joinDefaultTeams } from '../../organizations/teams/join-default-teams.js';
import type { Commands } from './apply-declared.js';
import { applyClusters } from './apply-clusters.js';
import { applyConnections } from './apply-connections.js';
import { applyPipelines } from './apply-pipelines.js';
import { applyRules } from './apply-rules.js';
import { applySecrets } from './apply-secrets.js';
import { applyServices } from './apply-services.js';
import { applySso } from './apply-sso.js';
import { applySuites } from './apply-suites.js';
import { applyTeams } from './apply-teams.js';
import { applyTemplates } from './apply-templates.js';
import { requireUser } from './apply-users.js';
import type { Ledger } from './ledger.js';
import type { PlannedOrganization } from './plan.js';
import { reconcile } from './reconcile.js';
import type { Within } from './within.js';

/** Applies the planned organizations, with everything inside them. */
export async function applyOrganizations(
  context: Context,
  ledger: Ledger,
  organizations: PlannedOrganization[],
  commands: Commands,
): Promise<void> {
  for (const [index, organization] of organizations.entries()) {
    const path = `organizations.${index}`;
    const organizationId = await applyOrganization(context, ledger, organization, path);
    if (!organizationId) continue;
    const within = { organizationId, slug: organization.slug, path };
    await applyMembers(context, ledger, within, organization.members);
    await applySso(context, ledger, within, organization.sso);
    await applyClusters(context, ledger, within, organization.clusters);
    await applyDefaultCluster(context, ledger, within, organization.defaultCluster);
    await applyConnections(context, ledger, within, organization.providerConnections, commands);
    await applyTemplates(context, ledger, within, organization.templates, commands);
    await applyPipelines(context, ledger, within, organization.pipelines, commands);
    await applyTeams(context, ledger, within, organization.teams);
    await applySuites(context, ledger, within, organization.suites);
    await applyRules(context, ledger, within, organization.rules, commands);
    await applySecrets(context, ledger, within, organization.secrets, commands);
    await applyServices(context, ledger, within, organization.notificationServices, commands);
  }
}

async function applyOrganization(
  context: Context,
  ledger: Ledger,
  { slug, name, id, plan, teamsEnabled, retention, buildExport }: PlannedOrganization,
  path: string,
): Promise<string | null> {
  const existing = await context.db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirst();
  return reconcile(context, ledger, {
    table: 'organizations',
    kind: 'organization',
    name: slug,
    path,
    id,
    organizationId: existing?.id ?? null,
    existing,
    identity: { slug },
    values: { name, plan, teamsEnabled, retention, buildExport },
  });
}

async function applyMembers(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  members: PlannedOrganization['members'],
): Promise<void> {
  for (const [index, { user, role }] of members.entries()) {
    const at = `${path}.members.${index}`;
    const userId = await requireUser(context, ledger, user, `${at}.user`);
    if (!userId) continue;
    const existing = await context.db
      .selectFrom('organization_members')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('userId', '=', userId)
      .executeTakeFirst();
    const memberId = await reconcile(context, ledger, {
      table: 'organization_members',
      kind: 'member',
      name: `${slug}/${user}`,
      path: at,
      organizationId,
      existing,
      identity: { organizationId, userId },
      values: { role },
    });
    if (memberId && !existing) await joinDefaultTeams(context, organizationId, userId);
  }
}

async function applyDefaultCluster(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  name: string | undefined,
): Promise<void> {
  if (name === undefined) return;
  const cluster = await context.db
    .selectFrom('clusters')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  const existing = await context.db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!cluster) {
    ledger.refuse(`${path}.defaultCluster`, `there is no cluster ${name} in organization ${slug}`);
    return;
  }
  await reconcile(context, ledger, {
    table: 'organizations',
    kind: 'organization',
    name: slug,
    path,
    organizationId,
    existing,
    identity: {},
    values: { defaultClusterId: cluster.id },
    called: { defaultClusterId: 'default_cluster' },
  });
}
