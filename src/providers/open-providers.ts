import type { Providers } from '../services/source-providers.js';
import { AppTokens } from './github/app.js';
import { openGithub } from './github/open.js';
import type { ProviderCalls } from './provider-api.js';

/** The source providers over HTTP; tokens that they mint are shared by all calls of the process. */
export function openProviders(calls: ProviderCalls): Providers {
  const tokens = new AppTokens();
  return { open: (access) => openGithub(calls, tokens, access) };
}
