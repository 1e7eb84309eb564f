import { z } from 'zod';
import type { Context } from '../request/context.js';
import { idFromEither } from '../domain/node-id.js';
import type { TeamRow } from '../entities/database.js';
import { organizationOf } from './find-in-organization.js';
import { findOrganization } from './find.js';
import type { OrganizationSubject } from './subject.js';
import { isStorable } from '../domain/input-text.js';
import { teamIsVisible } from './team-visibility.js';

const word = z.string().max(300).refine(isStorable);

/** By slug, or by uuid or node id. */
export const teamAddress = z.union([
  z.object({ organization: word, slug: word }),
  z.object({ organization: word, id: word }),
  z.object({ id: word }),
]);
export type TeamAddress = z.output<typeof teamAddress>;

export interface TeamSubject extends OrganizationSubject {
  team: TeamRow;
}

/** Finds a team that the caller may see; `lock` takes the row lock under which the team and its links change. */
export async function findTeam(
  context: Context,
  address: TeamAddress,
  { lock = false } = {},
): Promise<TeamSubject | null> {
  let query = context.db.selectFrom('teams as t').selectAll('t').where(teamIsVisible(context.actor));
  if (lock) query = query.forUpdate();
  if ('slug' in address) {
    const parent = await findOrganization(context, { slug: address.organization });
    const team =
      parent &&
      (await query
        .where('t.organizationId', '=', parent.organization.id)
        .where('t.slug', '=', address.slug)
        .executeTakeFirst());
    return parent && team ? { ...parent, team } : null;
  }
  const id = idFromEither(address.id, ['Team']);
  const team = id === null ? undefined : await query.where('t.id', '=', id).executeTakeFirst();
  const organization = team
    ? await organizationOf(context, team, 'organization' in address ? address.organization : undefined)
    : null;
  return team && organization ? { organization, team } : null;
}
