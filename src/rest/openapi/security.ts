import { type Scope, scopes } from '../../domain/organizations/scopes.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { Route } from '../route.js';

/** What a token with the scope may do: `write_build_logs` is "Write build logs.". */
function describeScope(scope: Scope): string {
  const words = scope.replaceAll('_', ' ');
  return scope === 'graphql' ? 'Everything in the GraphQL API.' : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/**
 * How requests are authenticated: by an API token as a bearer token. The scopes of tokens are declared as scopes of
 * OAuth, because generators and documents look there.
 */
export const securitySchemes = (baseUrl: string): JsonObject => ({
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token. `slipway token create` and the GraphQL API issue tokens.',
  },
  scopes: {
    type: 'oauth2',
    description:
      'Scopes of API tokens. A person who is signed in chooses them when the token is made; no program is ' +
      'redirected to us for a token: send the API token as `token` says.',
    flows: {
      implicit: {
        authorizationUrl: `${baseUrl}/login`,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, describeScope(scope)])),
      },
    },
  },
});

/** The requirement of an operation: a token, with its scope if it requires one; none if everybody may call it. */
export function securityOf({ access, scope }: Route['operation']): JsonObject[] {
  if (access === 'anyone') return [];
  return [scope === null ? { token: [] } : { scopes: [scope], token: [] }];
}
