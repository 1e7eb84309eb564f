import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { metaDataOwner } from './build-of-caller.js';

/** One key of one build. */
export const oneKey = metaDataOwner.extend({ key: z.string().max(limits.metaDataKeyLength) });

/** Returns the webhook payload of a build; that of a delivery is read from the delivery until it is deleted by age. */
export const webhookKey = 'buildkite:webhook';

/** Returns the value of a key; null if it is not set. */
export async function valueOf(context: Context, buildId: string, key: string): Promise<string | null> {
  const row = await context.db
    .selectFrom('build_meta_data')
    .select('value')
    .where('buildId', '=', buildId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (row || key !== webhookKey) return row?.value ?? null;
  const delivery = await context.load.deliveryOfBuild.load(buildId);
  return delivery?.payload ? JSON.stringify(delivery.payload) : null;
}
