/** States of an invitation, as the columns say them. */
export const invitationStates = ['pending', 'accepted', 'expired', 'revoked'] as const;
export type InvitationState = (typeof invitationStates)[number];

interface InvitationTimes {
  acceptedAt: Date | null;
  revokedAt: Date | null;
  expiresAt: Date;
}

/** The state of an invitation at a time: what happened to it, else whether its address still counts. */
export function invitationState({ acceptedAt, revokedAt, expiresAt }: InvitationTimes, now: Date): InvitationState {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'pending';
}
