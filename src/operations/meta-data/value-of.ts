import { z } from 'zod';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { metaDataOwner } from './build-of-caller.js';

/** One key of one build. */
export const oneKey = metaDataOwner.extend({ key: z.string().max(limits.metaDataKeyLength) });

/** The value of a key, null where it is not set. */
export async function valueOf(context: Context, buildId: string, key: string): Promise<string | null> {
  const row = await context.db.selectFrom('build_meta_data').select('value').where('buildId', '=', buildId).where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}
