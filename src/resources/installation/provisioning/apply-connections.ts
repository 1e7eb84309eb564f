import type { Context } from '../../../request/context.js';
import { connectionHost, normalizedApiUrl } from '../../../domain/integrations/provider-connection.js';
import { accessOf } from '../../../engine/notifications/connection-access.js';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import { readPem } from '../../integrations/provider-connections/fields.js';
import { openWebhookSecret } from '../../integrations/webhook-deliveries/webhook-secret.js';
import { applyDeclared, type Commands } from './apply-declared.js';
import { idOf } from './apply-pipelines.js';
import type { Ledger } from './ledger.js';
import type { PlannedConnection } from './plan-declared.js';
import type { Within } from './within.js';

/** Applies the planned connections of an organization to source providers. No report shows a credential. */
export async function applyConnections(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  connections: PlannedConnection[],
  commands: Commands,
): Promise<void> {
  for (const [index, { provider, name, ...fields }] of connections.entries()) {
    const at = `${path}.providerConnections.${index}`;
    const row = await context.db
      .selectFrom('provider_connections')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where((eb) => eb(eb.fn.coalesce('name', 'host'), '=', name))
      .orderBy('id')
      .executeTakeFirst();
    if (row && row.provider !== provider) {
      ledger.refuse(`${at}.provider`, `provider of connection ${name} is ${row.provider}, which cannot be changed`);
      continue;
    }
    const values = Object.fromEntries(
      Object.entries({
        ...fields,
        apiUrl: fields.apiUrl && normalizedApiUrl(provider, fields.apiUrl),
        host: fields.host && connectionHost(fields.host),
        privateKey: fields.privateKey && readPem(fields.privateKey),
      }).filter(([, value]) => value !== undefined && value !== null),
    );
    await applyDeclared(context, ledger, {
      kind: 'provider connection',
      name: `${slug}/${name}`,
      path: at,
      organizationId,
      values,
      current: row ? connectionValues(context, row) : null,
      create: async () =>
        idOf(
          await commands.createConnection(context, { ...values, provider, name, organization: { id: organizationId } }),
          'connection',
        ),
      update: (changed, id) => commands.updateConnection(context, { ...changed, connection: { id } }),
    });
  }
}

/** A connection in the form of its input. */
function connectionValues(context: Context, row: ProviderConnectionRow) {
  const { credential } = accessOf(context.services, row);
  return {
    id: row.id,
    apiUrl: row.apiUrl,
    host: row.host,
    username: row.username,
    appId: row.appId,
    ...(credential.kind === 'app' ? { privateKey: credential.privateKey } : { token: credential.token }),
    webhookSecret: row.webhookSecret === null ? null : openWebhookSecret(context, row.webhookSecret),
  };
}
