import type { ProviderAccess, SourceProvider } from '../../services/source-providers.js';
import { ProviderApi, type ProviderCalls } from '../provider-api.js';
import { type AppTokens, GithubApp } from './app.js';
import { githubChecks } from './checks.js';
import { checkGithubApp, checkGithubToken } from './check.js';
import { githubBranches, githubHeaders, githubStatuses, githubWebhooks } from './github.js';
import { repositoriesOfApp, repositoriesOfToken } from './repositories.js';

/** Opens GitHub or GitHub Enterprise Server with a pasted token or as an App. */
export function openGithub(
  calls: ProviderCalls,
  tokens: AppTokens,
  { apiUrl, credential }: ProviderAccess,
): SourceProvider {
  if (credential.kind === 'app') {
    const app = new GithubApp(calls, tokens, apiUrl, credential.appId, credential.privateKey);
    const apiOf = (repository: string) => app.repositoryApi(repository);
    return {
      check: () => checkGithubApp(app),
      statuses: githubStatuses(apiOf),
      branches: githubBranches(apiOf),
      webhooks: githubWebhooks(apiOf),
      repositories: { list: (search) => repositoriesOfApp(app, search) },
      repositoryTokens: { mint: (repository) => app.repositoryToken(repository) },
      checks: githubChecks(apiOf),
    };
  }
  const api = new ProviderApi(calls, apiUrl, () => ({ ...githubHeaders, authorization: `Bearer ${credential.token}` }));
  const apiOf = () => api;
  return {
    check: () => checkGithubToken(api),
    statuses: githubStatuses(apiOf),
    branches: githubBranches(apiOf),
    webhooks: githubWebhooks(apiOf),
    repositories: { list: (search) => repositoriesOfToken(api, search) },
    repositoryTokens: null,
    checks: null,
  };
}
