import { sql } from 'kysely';
import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { oneOf } from '../../../domain/input-text.js';
import { type InvitationState, invitationStates } from '../../../domain/organizations/invitation.js';
import { type Invitation, invitationColumns } from '../../../resources/organizations/invitations/invitation.js';

const byEmail: Ordering<Invitation> = {
  column: 'email',
  id: 'id',
  direction: 'asc',
  key: (row) => row.email,
  type: 'text',
};

/** Lists the invitations of an organization in any of these states, of all of them without a state. */
export const listInvitations = defineOperation({
  name: 'organization-invitation.list',
  summary: 'Lists the invitations to join an organization.',
  kind: 'query',
  scope: 'read_organization_invitations',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    states: z.array(oneOf(invitationStates)).nullish(),
    order: oneOf(['recently_created', 'email']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (
    context,
    { states, order, paging: page },
    { organization }: OrganizationSubject,
  ): Promise<Page<Invitation>> => {
    // As `invitationState` decides.
    const isIn: Record<InvitationState, ReturnType<typeof sql<boolean>>> = {
      accepted: sql<boolean>`accepted_at is not null`,
      revoked: sql<boolean>`accepted_at is null and revoked_at is not null`,
      expired: sql<boolean>`accepted_at is null and revoked_at is null and expires_at <= ${context.now}`,
      pending: sql<boolean>`accepted_at is null and revoked_at is null and expires_at > ${context.now}`,
    };
    let query = context.db
      .selectFrom('organization_invitations')
      .select(invitationColumns)
      .where('organizationId', '=', organization.id);
    if (states) query = query.where((eb) => eb.or(states.map((state) => isIn[state])));
    return paginate<Invitation>(context.db, query, order === 'email' ? byEmail : newestFirst('id'), page);
  },
});
