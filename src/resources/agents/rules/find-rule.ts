import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { RuleRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import type { OrganizationSubject } from '../../../core/subject.js';

export interface RuleSubject extends OrganizationSubject {
  rule: RuleRow;
}

export const ruleInput = z.object({ rule: inOrganization });

/** Finds a rule by uuid or node id in an organization that the caller is a member of; `lock` locks its row. */
export async function findRule(
  context: Context,
  { rule: address }: z.output<typeof ruleInput>,
  { lock = false } = {},
): Promise<RuleSubject | null> {
  const id = idFromEither(address.id, ['Rule']);
  if (id === null) return null;
  const query = context.db.selectFrom('rules').selectAll().where('id', '=', id);
  const rule = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const organization = await organizationOf(
    context,
    rule,
    'organization' in address ? address.organization : undefined,
  );
  return rule && organization ? { organization, rule } : null;
}
