import type { Request } from 'express';
import { challengeShape } from '../../auth/proof-key.js';
import { perform } from '../../core/operation.js';
import { limits } from '../../domain/limits/limits.js';
import type { OauthClient } from '../../domain/organizations/oauth/clients.js';
import { ownRedirect } from '../../domain/organizations/oauth/redirect-uri.js';
import { requestedScopes } from '../../domain/organizations/oauth/requested-scopes.js';
import type { Scope } from '../../domain/organizations/scopes.js';
import { Problem } from '../../domain/problem.js';
import { queryOf } from '../../http/query.js';
import { findOauthClient } from '../../operations/organizations/oauth/find-client.js';
import type { Context } from '../../request/context.js';
import { isOwnResource, parameterOf } from './parameters.js';

/** A program that asks for an answer at an address that is proven to be its own. */
export interface Asker {
  client: OauthClient;
  redirect: URL;
  /** The address in the words of the program. */
  redirectUri: string;
  state: string | null;
}

export interface AccessRequest extends Asker {
  scopes: Scope[];
  codeChallenge: string;
  resource: string | null;
  /** Slug or UUID of the organization that the program is for; null where it names none. */
  organization: string | null;
}

/** A request that its program has made wrong, in the words of RFC 6749, section 4.1.2.1. */
export interface WrongRequest extends Asker {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target';
  description: string;
}

/**
 * Reads who asks for access by a browser (RFC 6749, section 4.1.1), and for what. Throws `malformed` where nobody is to
 * be told but the person: for a program that is not known, and for an address that is not its own.
 */
export async function readAccessRequest(context: Context, request: Request): Promise<AccessRequest | WrongRequest> {
  // A longer address would not survive the sign-in.
  if (request.originalUrl.length > limits.oauthRequestLength)
    throw new Problem('malformed', `The request of the program has more than ${limits.oauthRequestLength} characters`);
  const query = queryOf(request);
  const id = parameterOf(query, 'client_id') ?? '';
  const { client } = await perform(findOauthClient, context, { id: id.slice(0, 300) });
  if (!client)
    throw new Problem('malformed', 'The program is not known here, or not any more. Please have it register again.');
  const redirectUri = parameterOf(query, 'redirect_uri') ?? '';
  const redirect = ownRedirect(client.redirectUris, redirectUri);
  if (!redirect)
    throw new Problem('malformed', 'The program wants you to be sent to an address that it has not registered.');
  const asker: Asker = { client, redirect, redirectUri, state: parameterOf(query, 'state') };
  return { ...asker, ...askedFor(context.services.baseUrl, query) };
}

type Asked = Omit<AccessRequest, keyof Asker> | Omit<WrongRequest, keyof Asker>;

function askedFor(baseUrl: string, query: URLSearchParams): Asked {
  const codeChallenge = parameterOf(query, 'code_challenge') ?? '';
  const resource = parameterOf(query, 'resource');
  const scopes = requestedScopes(parameterOf(query, 'scope'));
  if (parameterOf(query, 'response_type') !== 'code')
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  if (parameterOf(query, 'code_challenge_method') !== 'S256' || !challengeShape.test(codeChallenge))
    return { error: 'invalid_request', description: 'code_challenge by S256 is needed' };
  if (resource !== null && !isOwnResource(baseUrl, resource))
    return { error: 'invalid_target', description: `resource is not of ${baseUrl}` };
  if (scopes.length === 0) return { error: 'invalid_scope', description: 'scope names none that a token can have' };
  const organization = parameterOf(query, 'organization_uuid') ?? parameterOf(query, 'organization');
  return { scopes, codeChallenge, resource, organization };
}
