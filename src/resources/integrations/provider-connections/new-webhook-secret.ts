import { newToken } from '../../../auth/secrets.js';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { openWebhookSecret } from '../webhook-deliveries/webhook-secret.js';

/** The secret of a new webhook: that of its connection, or one of its own. */
export const newWebhookSecret = (context: Context, { webhookSecret }: ProviderConnectionRow): string =>
  webhookSecret === null ? newToken('', 20) : openWebhookSecret(context, webhookSecret);
