import { z } from 'zod';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { metaDataOwner } from './build-of-caller.js';

/** One key of one build. */
export const oneKey = metaDataOwner.extend({ key: z.string().max(limits.metaDataKeyLength) });

/** What a build's webhook brought (rest-facts 6.3, 6.4): that of a delivery is read where it is kept, for as long as it is. */
export const webhookKey = 'buildkite:webhook';

/** The value of a key, null where it is not set. */
export async function valueOf(context: Context, buildId: string, key: string): Promise<string | null> {
  const row = await context.db.selectFrom('build_meta_data').select('value').where('buildId', '=', buildId).where('key', '=', key).executeTakeFirst();
  if (row || key !== webhookKey) return row?.value ?? null;
  const delivery = await context.load.deliveryOfBuild.load(buildId);
  return delivery?.payload ? JSON.stringify(delivery.payload) : null;
}
