import type { ProviderAccess, Providers, SourceProvider } from '../services/source-providers.js';
import { openBitbucketServer } from './bitbucket-server/bitbucket-server.js';
import { openBitbucket } from './bitbucket/bitbucket.js';
import { openGitea } from './gitea/gitea.js';
import { AppTokens } from './github/app.js';
import { openGithub } from './github/open.js';
import { openGitlab } from './gitlab/gitlab.js';
import type { ProviderCalls } from './provider-api.js';

/** The source providers over HTTP; tokens that they mint are shared by all calls of the process. */
export function openProviders(calls: ProviderCalls): Providers {
  const tokens = new AppTokens();
  return { open: (access) => openProvider(calls, tokens, access) };
}

function openProvider(calls: ProviderCalls, tokens: AppTokens, access: ProviderAccess): SourceProvider {
  switch (access.provider) {
    case 'github_app':
    case 'github':
    case 'github_enterprise':
      return openGithub(calls, tokens, access);
    case 'gitlab':
      return openGitlab(calls, access);
    case 'bitbucket':
      return openBitbucket(calls, access);
    case 'bitbucket_server':
      return openBitbucketServer(calls, access);
    case 'gitea':
      return openGitea(calls, access);
  }
}
