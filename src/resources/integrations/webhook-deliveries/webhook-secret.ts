import { seal, unsealOwn } from '../../../auth/sealed.js';
import type { Context } from '../../../request/context.js';

const purpose = 'webhook-secret';

/** Encrypted secret. */
export const sealWebhookSecret = (context: Context, secret: string) =>
  seal(context.services.secretKey, purpose, secret);

/** A sealed secret in the open. */
export const openWebhookSecret = (context: Context, sealed: string) =>
  unsealOwn(context.services.secretKey, purpose, sealed);
