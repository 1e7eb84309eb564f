import { z } from 'zod';
import { hashToken, newToken, tokenPrefixes } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { idIn } from '../../../database/id-in.js';
import { idFromEither } from '../../../domain/node-id.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { scopes } from '../../../domain/organizations/scopes.js';
import type { UserRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { type AccessToken, tokenColumns } from '../../../resources/organizations/api-tokens/own-token.js';
import { tokensOfUser } from '../../../resources/organizations/api-tokens/tokens-of-user.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

const input = z.object({
  description: z.string().trim().min(1, 'must not be empty').max(limits.descriptionLength),
  scopes: z
    .array(z.enum(scopes, 'names a scope that no token can have'))
    .min(1, 'must name at least one scope')
    .max(scopes.length),
  /** UUIDs or node ids; null: every organization the user is a member of, later ones too. */
  organizations: z
    .array(z.string().max(300))
    .min(1, 'must name at least one organization')
    .max(limits.apiTokenOrganizations, `must be at most ${limits.apiTokenOrganizations} organizations`)
    .nullable(),
  expiresAt: z.date().nullable().default(null),
});

export interface OwnToken {
  token: AccessToken;
  user: UserRow;
  /** The token's value, returned by this operation only. */
  value: string;
}

/**
 * Creates an API token of the person who is signed in, for organizations of theirs. Throws `invalid` for organizations
 * that they are no member of, or only in sessions by single sign-on, for a time of expiry that is over, and above the
 * limit of tokens.
 */
export const createOwnToken = defineOperation({
  name: 'access-token.create-own',
  summary: 'Creates an API token of the caller.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input,
  subject: (context) => findSignedIn(context),
  run: async (context, request, { user }: SignedInSubject): Promise<OwnToken> => {
    if (request.expiresAt !== null && request.expiresAt <= context.now)
      throw invalidField('expiresAt', 'is in the past');
    const { actor } = context;
    const organizationIds = [...new Set((request.organizations ?? []).map((id) => idFromEither(id, ['Organization'])))];
    const own = organizationIds.filter((id) => id !== null && actor.kind === 'user' && actor.roles.has(id));
    if (own.length < organizationIds.length)
      throw invalidField('organizations', 'names an organization that you are no member of');
    if (request.organizations === null) await refuseWiderThanSession(context);
    await refuseRestricted(context, request.organizations === null ? null : (own as string[]));
    const { count } = await tokensOfUser(context, user.id)
      .clearSelect()
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.apiTokensPerUser)
      throw invalidField('description', `cannot be added: a user has at most ${limits.apiTokensPerUser} API tokens`);
    const value = newToken(tokenPrefixes.api, 20);
    const token = await context.db
      .insertInto('api_tokens')
      .values({
        id: context.newId(),
        userId: user.id,
        description: request.description,
        tokenHash: hashToken(value),
        scopes: [...new Set(request.scopes)],
        allOrganizations: request.organizations === null,
        expiresAt: request.expiresAt,
        createdAt: context.now,
      })
      .returning(tokenColumns)
      .executeTakeFirstOrThrow();
    for (const organizationId of own as string[])
      await context.db.insertInto('api_token_organizations').values({ apiTokenId: token.id, organizationId }).execute();
    return { token, user, value };
  },
});

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
