/** Values of a membership's `sso_mode`. */
export const ssoModes = ['optional', 'required'] as const;
export type SsoMode = (typeof ssoModes)[number];

/** Ways to begin a session of the console. */
export const signInMethods = ['password', 'single_sign_on', 'one_time_address'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** Facts about an installation and a session that decide which memberships the session has. */
export interface SignedInBy {
  method: SignInMethod;
  /**
   * Whether the installation has a single sign-on provider. Without a provider no session could meet the requirement.
   */
  singleSignOn: boolean;
}

/**
 * Whether a membership counts in a session. A membership that requires single sign-on does not count in sessions that
 * began in another way: in these the user is treated as no member of the organization.
 */
export function countsInSession(mode: SsoMode, { method, singleSignOn }: SignedInBy): boolean {
  return mode === 'optional' || method === 'single_sign_on' || !singleSignOn;
}
