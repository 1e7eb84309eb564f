import type { Services } from '../services/services.js';

/** The id of the organization that an option names; throws a sentence where there is none. */
export async function organizationId({ db }: Pick<Services, 'db'>, slug: string): Promise<string> {
  const row = await db.selectFrom('organizations').select('id').where('slug', '=', slug).executeTakeFirst();
  if (!row) throw new Error(`there is no organization ${slug}`);
  return row.id;
}
