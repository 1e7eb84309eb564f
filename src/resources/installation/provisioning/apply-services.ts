import type { Context } from '../../../request/context.js';
import { shownStates } from '../../../domain/integrations/notified-states.js';
import type { NotificationServiceRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { plainSettings } from '../../integrations/notification-services/service-settings.js';
import { applyDeclared, type Commands } from './apply-declared.js';
import { idOf } from './apply-pipelines.js';
import type { Ledger } from './ledger.js';
import type { PlannedService } from './plan-declared.js';
import type { Within } from './within.js';

type Scope = NotificationServiceRow['scope'];

/** Applies the planned notification services of an organization, after what their scopes name. */
export async function applyServices(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  services: PlannedService[],
  commands: Commands,
): Promise<void> {
  for (const [index, planned] of services.entries()) {
    const at = `${path}.notificationServices.${index}`;
    const row = await context.db
      .selectFrom('notification_services')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('description', '=', planned.description)
      .orderBy('id')
      .executeTakeFirst();
    const scope = planned.scope ?? row?.scope ?? 'all';
    const scopeUuids =
      planned.scopeUuids && (await idsOf(context, ledger, organizationId, scope, planned.scopeUuids, at));
    const values = { ...planned, scopeUuids };
    await applyDeclared(context, ledger, {
      kind: 'notification service',
      name: `${slug}/${planned.description}`,
      path: at,
      organizationId,
      values,
      current: row ? serviceFields(context, row) : null,
      create: async () =>
        idOf(await commands.createService(context, { ...values, organization: { id: organizationId } }), 'service'),
      update: async ({ enabled, ...changed }, id) => {
        const service = { id };
        if (Object.keys(changed).length > 0) await commands.updateService(context, { ...changed, service });
        if (enabled === true) await commands.enableService(context, { service });
        if (enabled === false) await commands.disableService(context, { service });
      },
    });
  }
}

/** A service in the form of its input. */
export function serviceFields(context: Context, row: NotificationServiceRow) {
  return {
    id: row.id,
    provider: row.provider,
    description: row.description,
    enabled: row.enabled,
    scope: row.scope,
    scopeUuids: row.scopeIds,
    branchConfiguration: row.branchConfiguration ?? '',
    buildStates: shownStates(row.withheldStates),
    settings: plainSettings(context.services, row),
  };
}

/** Table and column of what a scope names. */
export const scoped = {
  some_projects: { table: 'pipelines', column: 'slug' },
  some_teams: { table: 'teams', column: 'slug' },
  some_clusters: { table: 'clusters', column: 'name' },
} as const;

/** IDs of what a scope names by slug, name or id. */
async function idsOf(
  context: Context,
  ledger: Ledger,
  organizationId: string,
  scope: Scope,
  names: string[],
  path: string,
): Promise<string[]> {
  if (scope === 'all') return names;
  const { table, column } = scoped[scope];
  const ids: string[] = [];
  for (const [index, name] of names.entries()) {
    const row = isId(name)
      ? { id: name }
      : await context.db
          .selectFrom(table as 'pipelines')
          .select('id')
          .where('organizationId', '=', organizationId)
          .where(column as 'slug', '=', name)
          .executeTakeFirst();
    if (row) ids.push(row.id);
    else ledger.refuse(`${path}.scopeUuids.${index}`, `there is no ${table.slice(0, -1)} ${name}`);
  }
  return ids;
}
