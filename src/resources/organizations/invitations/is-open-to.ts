import { countsInSession, type SignInMethod } from '../../../domain/organizations/sso-mode.js';
import type { Services } from '../../../services/services.js';
import type { Invitation } from './invitation.js';

/**
 * Whether somebody who signs in by this method may accept the invitation: the membership then counts in their session.
 */
export const isOpenTo = (
  { singleSignOn }: Pick<Services, 'singleSignOn'>,
  { ssoMode }: Pick<Invitation, 'ssoMode'>,
  method: SignInMethod,
): boolean => countsInSession(ssoMode, { method, singleSignOn: singleSignOn !== undefined });
