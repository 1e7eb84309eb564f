import { unseal } from '../../../auth/sealed.js';
import type { Context } from '../../../request/context.js';
import { secretPurpose } from '../../agents/secrets/secret.js';
import { applyDeclared, type Commands } from './apply-declared.js';
import { findCluster, idOf } from './apply-pipelines.js';
import type { Ledger } from './ledger.js';
import type { PlannedSecret } from './plan-declared.js';
import type { Within } from './within.js';

/** Applies the planned secrets of an organization's clusters. No report shows a value. */
export async function applySecrets(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  secrets: PlannedSecret[],
  commands: Commands,
): Promise<void> {
  for (const [index, { cluster, key, value, description, policy }] of secrets.entries()) {
    const at = `${path}.secrets.${index}`;
    const clusterId = await clusterOf(context, ledger, { organizationId, slug, path: at }, cluster);
    if (clusterId === null) continue;
    const row = await context.db
      .selectFrom('cluster_secrets')
      .selectAll()
      .where('clusterId', '=', clusterId)
      .where((eb) => eb(eb.fn<string>('lower', ['key']), '=', key.toLowerCase()))
      .executeTakeFirst();
    const current = row && {
      ...row,
      value: unseal(context.services.secretKey, secretPurpose, row.encryptedValue, row.id),
    };
    await applyDeclared(context, ledger, {
      kind: 'secret',
      name: `${slug}/${cluster ?? 'default cluster'}/${key}`,
      path: at,
      organizationId,
      values: { value, description: description ?? undefined, policy: policy ?? undefined },
      current: current ?? null,
      create: async () =>
        idOf(
          await commands.createSecret(context, { cluster: { id: clusterId }, key, value, description, policy }),
          'secret',
        ),
      update: async (changed, id) => {
        if ('value' in changed) await commands.updateSecretValue(context, { secret: { id }, value });
        const { value: _, ...rest } = changed;
        if (Object.keys(rest).length > 0) await commands.updateSecret(context, { secret: { id }, ...rest });
      },
    });
  }
}

/** The cluster of a secret; null, with a problem, where there is none. */
async function clusterOf(
  context: Context,
  ledger: Ledger,
  { organizationId, slug, path }: Within,
  name: string | undefined,
): Promise<string | null> {
  if (name !== undefined) {
    const id = await findCluster(context, organizationId, name);
    if (id === null) ledger.refuse(`${path}.cluster`, `there is no cluster ${name} in organization ${slug}`);
    return id;
  }
  const organization = await context.db
    .selectFrom('organizations')
    .select('defaultClusterId')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!organization?.defaultClusterId) ledger.refuse(path, `cluster is missing: ${slug} has no default cluster`);
  return organization?.defaultClusterId ?? null;
}
