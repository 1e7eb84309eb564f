import { idIn } from '../../../database/id-in.js';
import { invalidField } from '../../../domain/problem.js';
import type { Context } from '../../../request/context.js';

/**
 * The organizations for which the person who is signed in may make an API token, of those with these ids; null for all
 * of theirs, later ones too. Throws `invalid` for one that they are no member of or only in sessions by single sign-on,
 * and for one that lets administrators only make tokens.
 */
export async function grantableOrganizations(
  context: Context,
  ids: readonly (string | null)[] | null,
): Promise<string[] | null> {
  const { actor } = context;
  if (ids === null) {
    await refuseWiderThanSession(context);
    await refuseRestricted(context, null);
    return null;
  }
  const own = ids.filter((id): id is string => id !== null && actor.kind === 'user' && actor.roles.has(id));
  if (own.length < ids.length) throw invalidField('organizations', 'names an organization that you are no member of');
  await refuseRestricted(context, own);
  return own;
}

/**
 * Throws `invalid` where a token for every organization of its user would reach one that requires single sign-on, and
 * that the session of the caller therefore does not.
 */
async function refuseWiderThanSession({ db, actor }: Context): Promise<void> {
  if (actor.kind !== 'user') return;
  const closed = await db
    .selectFrom('organization_members as m')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select('o.name')
    .where('m.userId', '=', actor.userId)
    .where((eb) => eb.not(idIn('m.organizationId', [...actor.roles.keys()])))
    .orderBy('o.name')
    .executeTakeFirst();
  if (closed)
    throw invalidField(
      'organizations',
      `includes ${closed.name}, which requires single sign-on: sign in with it, or name the others`,
    );
}

/** Throws `invalid` for organizations that let their administrators only make tokens; null for all of the caller's. */
async function refuseRestricted({ db, actor }: Context, organizationIds: readonly string[] | null): Promise<void> {
  if (actor.kind !== 'user') return;
  const asMember = [...actor.roles].filter(([, role]) => role !== 'admin').map(([id]) => id);
  const own = organizationIds === null ? asMember : asMember.filter((id) => organizationIds.includes(id));
  if (own.length === 0) return;
  const restricted = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', 'in', own)
    .where('restrictUserApiTokenCreation', '=', true)
    .orderBy('name')
    .executeTakeFirst();
  if (restricted)
    throw invalidField('organizations', `names ${restricted.name}, where only administrators make API tokens`);
}
