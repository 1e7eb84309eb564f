import { seal, unseal } from '../../auth/sealed.js';
import type { Context } from '../../context.js';

const purpose = 'webhook-secret';

/** The secret as it lies in the database. */
export const sealWebhookSecret = (context: Context, secret: string) => seal(context.services.secretKey, purpose, secret);

/** The secret that deliveries of a pipeline must show, null where its address alone is the secret. */
export async function webhookSecret(context: Context, pipelineId: string): Promise<string | null> {
  const row = await context.db.selectFrom('pipeline_webhooks').select('secret').where('pipelineId', '=', pipelineId).executeTakeFirst();
  if (!row || row.secret === null) return null;
  const secret = unseal(context.services.secretKey, purpose, row.secret);
  if (secret === null) throw new Error('the webhook secret was encrypted with another secret key');
  return secret;
}
