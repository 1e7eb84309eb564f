import type { ConnectionProvider } from '../../../src/domain/integrations/provider-connection.js';
import {
  bitbucketServerStates,
  bitbucketStates,
  giteaStates,
  githubStates,
  gitlabStates,
  type StatusOutcome,
} from '../../../src/domain/integrations/status-outcome.js';

/** The state at a provider, as its own API has it. */
export function statusWord(provider: ConnectionProvider, outcome: StatusOutcome): string {
  switch (provider) {
    case 'gitlab':
      return gitlabStates[outcome];
    case 'bitbucket':
      return bitbucketStates[outcome];
    case 'bitbucket_server':
      return bitbucketServerStates[outcome];
    case 'gitea':
      return giteaStates[outcome];
    default:
      return githubStates[outcome];
  }
}
