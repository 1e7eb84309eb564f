import { seal, unsealOwn } from '../../auth/sealed.js';
import type { Context } from '../../context.js';

const purpose = 'webhook-secret';

/** The secret as it lies in the database. */
export const sealWebhookSecret = (context: Context, secret: string) => seal(context.services.secretKey, purpose, secret);

/** A sealed secret in the open. */
export const openWebhookSecret = (context: Context, sealed: string) => unsealOwn(context.services.secretKey, purpose, sealed);

/** The secret that deliveries of a pipeline must show, null where its address alone is the secret. */
export async function webhookSecret(context: Context, pipelineId: string): Promise<string | null> {
  const row = await context.db.selectFrom('pipeline_webhooks').select('secret').where('pipelineId', '=', pipelineId).executeTakeFirst();
  return row && row.secret !== null ? openWebhookSecret(context, row.secret) : null;
}
