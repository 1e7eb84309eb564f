import { hashToken, newToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { inOrganization } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { idFromEither } from '../../../domain/node-id.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Row } from '../../../entities/database.js';
import { webUrls } from '../../../services/web-urls.js';
import type { z } from 'zod';

/** An invitation without the hash of its address. */
export type Invitation = Omit<Row<'organization_invitations'>, 'tokenHash'>;

/** An invitation with the address that accepts it, which only creating and resending return. */
export type AddressedInvitation = Invitation & { acceptUrl: string };

export interface InvitationSubject extends OrganizationSubject {
  organizationInvitation: Invitation;
}

export const invitationColumns = [
  'id',
  'organizationId',
  'email',
  'role',
  'ssoMode',
  'teams',
  'createdById',
  'createdAt',
  'expiresAt',
  'acceptedAt',
  'acceptedById',
  'revokedAt',
  'revokedById',
] as const;

/** By uuid or node id. */
export const invitationAddress = inOrganization;

/** Finds an invitation of an organization that the caller is a member of; `lock` takes its row lock. */
export async function findInvitation(
  context: Context,
  address: z.output<typeof invitationAddress>,
  { lock = false } = {},
): Promise<InvitationSubject | null> {
  const id = idFromEither(address.id, ['OrganizationInvitation']);
  if (id === null) return null;
  const query = context.db.selectFrom('organization_invitations').select(invitationColumns).where('id', '=', id);
  const organizationInvitation = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const slug = 'organization' in address ? address.organization : undefined;
  const organization = await organizationOf(context, organizationInvitation, slug);
  return organizationInvitation && organization ? { organization, organizationInvitation } : null;
}

/** A new address for an invitation: what is stored of it, and the address itself. */
export function newAddress(context: Context): { stored: { tokenHash: string; expiresAt: Date }; acceptUrl: string } {
  const token = newToken('', 32);
  const expiresAt = new Date(context.now.getTime() + limits.invitationDays * 86_400_000);
  return {
    stored: { tokenHash: hashToken(token), expiresAt },
    acceptUrl: webUrls.invitation(context.services.baseUrl, token),
  };
}

/** Records a change of an invitation. */
export function recordInvitation(context: Context, invitation: Invitation, type: string): void {
  context.record({
    organizationId: invitation.organizationId,
    subject: 'organization',
    subjectId: invitation.organizationId,
    type,
    data: { organization_invitation: invitation.id },
  });
}
