import { seal, unsealOwn } from '../../../auth/sealed.js';
import type { Context } from '../../../context.js';

const purpose = 'webhook-secret';

/** Encrypted secret. */
export const sealWebhookSecret = (context: Context, secret: string) =>
  seal(context.services.secretKey, purpose, secret);

/** A sealed secret in the open. */
export const openWebhookSecret = (context: Context, sealed: string) =>
  unsealOwn(context.services.secretKey, purpose, sealed);

/** Returns the secret that deliveries of a pipeline are verified with; null if only the URL protects them. */
export async function webhookSecret(context: Context, pipelineId: string): Promise<string | null> {
  const row = await context.db
    .selectFrom('pipeline_webhooks')
    .select('secret')
    .where('pipelineId', '=', pipelineId)
    .executeTakeFirst();
  return row && row.secret !== null ? openWebhookSecret(context, row.secret) : null;
}
