/** The limits of OAuth: programs that ask people for access; part of `limits.ts`. */
export const oauthLimits = {
  /** Programs that registered themselves; a further one takes the place of one that nobody let in: choice. */
  oauthClients: 10_000,
  /** Characters of the name of a program: choice. */
  oauthClientNameLength: 100,
  /** Addresses of a program that people are sent back to: choice. */
  oauthRedirectUris: 10,
  /** Characters of such an address: choice. */
  oauthRedirectUriLength: 500,
  /** Hours after which a registration that nobody let in is forgotten: choice. */
  oauthNewClientHours: 24,
  /** Days without a sign-in after which a program that was let in is forgotten: choice. */
  oauthClientDays: 90,
  /** Body of a registration: choice. */
  oauthBodyBytes: 16 * 1024,
  /** Characters of a request for access, path and query: choice. */
  oauthRequestLength: 2_000,
  /** Registrations and requests for device codes from one address in ten minutes: choice. */
  oauthBeginningsPerAddress: 60,
  /** Requests for tokens from one address in ten minutes: choice. */
  oauthTokenRequestsPerAddress: 2_000,
  /** Device codes that one person types in ten minutes: choice. */
  oauthUserCodesPerUser: 30,
  /** Seconds for which a code of a browser is good: choice. */
  oauthCodeSeconds: 120,
  /** Minutes for which a device code is good: compatible. */
  oauthDeviceMinutes: 10,
  /** Seconds between two questions of a device: compatible. */
  oauthDeviceSeconds: 5,
  /** Device codes that wait for somebody: choice. */
  oauthDevices: 10_000,
  /** Grants of one person within the ten minutes for which they are kept: choice. */
  oauthGrantsPerUser: 50,
  /** Days for which a token that a program got is good: choice. */
  oauthTokenDays: 30,
} as const;
