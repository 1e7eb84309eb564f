import { z } from 'zod';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import type { TeamRow } from '../../entities/database.js';
import { organizationOf } from '../find-in-organization.js';
import { findOrganization } from '../find.js';
import type { OrganizationSubject } from '../subject.js';
import { isStorable } from '../text.js';
import { teamIsVisible } from './visibility.js';

const word = z.string().max(300).refine(isStorable);

/** By slug, or by uuid or node id. */
export const teamAddress = z.union([z.object({ organization: word, slug: word }), z.object({ organization: word, id: word }), z.object({ id: word })]);
export type TeamAddress = z.output<typeof teamAddress>;

export interface TeamSubject extends OrganizationSubject {
  team: TeamRow;
}

/** The team a caller names, if it may see it; `lock` takes the row lock that every change of it and of its links goes under. */
export async function findTeam(context: Context, address: TeamAddress, { lock = false } = {}): Promise<TeamSubject | null> {
  let query = context.db.selectFrom('teams as t').selectAll('t').where(teamIsVisible(context.actor));
  if (lock) query = query.forUpdate();
  if ('slug' in address) {
    const found = await findOrganization(context, { slug: address.organization });
    const team = found && (await query.where('t.organizationId', '=', found.organization.id).where('t.slug', '=', address.slug).executeTakeFirst());
    return found && team ? { ...found, team } : null;
  }
  const id = idFromEither(address.id, ['Team']);
  const team = id === null ? undefined : await query.where('t.id', '=', id).executeTakeFirst();
  const organization = team ? await organizationOf(context, team, 'organization' in address ? address.organization : undefined) : null;
  return team && organization ? { organization, team } : null;
}
