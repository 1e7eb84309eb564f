/** A program that asks people for access, as OAuth knows it. */
export interface OauthClient {
  /** The `client_id`. */
  id: string;
  /** What the program calls itself: nothing proves it. */
  name: string;
  redirectUris: readonly string[];
  /** Whether it registered itself, so that its name is anybody's choice. */
  isRegistered: boolean;
}

/**
 * Programs that never register: their id is a constant of their source, which anybody can use, so that they are sent
 * to the person's own machine alone.
 */
export const knownClients: readonly OauthClient[] = [
  {
    id: '5214b230f06b48938ab5',
    name: 'bk, the Buildkite command line',
    redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback', 'http://[::1]/callback'],
    isRegistered: false,
  },
];
