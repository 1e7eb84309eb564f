import type { ProviderId } from './provider.js';

/** Providers that webhooks can be made at. */
export const connectionProviders = ['github', 'github_enterprise'] as const satisfies readonly ProviderId[];
export type ConnectionProvider = (typeof connectionProviders)[number];

/** Whether connections can be made to this source provider. */
export function isConnectionProvider(provider: string): provider is ConnectionProvider {
  return (connectionProviders as readonly string[]).includes(provider);
}
