import { type Response, Router } from 'express';
import { anonymous } from '../auth/actor.js';
import { Context } from '../request/context.js';
import type { Services } from '../services/services.js';
import { perform } from '../core/operation.js';
import { claimNames } from '../domain/oidc/claims.js';
import { listOidcKeys } from '../operations/installation/oidc-keys/list.js';
import { authorizationServer, protectedResource } from './well-known-oauth.js';

/** Receivers ask again after this many seconds; a key is published for a day before it signs. */
const cacheHeaders = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };

/** The media type of RFC 9727, section 4. */
const linkset = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * `/.well-known`: the issuer of the identity tokens of jobs (`/openid-configuration` and `/jwks`) for its receivers,
 * `/api-catalog` (RFC 9727) for programs that know only the host, and what programs need that ask people for access:
 * the authorization server (RFC 8414) and what takes its tokens (RFC 9728).
 */
export function wellKnownRouter(services: Services): Router {
  const router = Router();
  router.get('/api-catalog', (_request, response) => {
    const { baseUrl } = services;
    const described = {
      anchor: `${baseUrl}/v2`,
      'service-desc': [{ href: `${baseUrl}/v2/openapi.json`, type: 'application/json' }],
      'service-doc': [{ href: `${baseUrl}/docs`, type: 'text/html' }],
    };
    response
      .set(cacheHeaders)
      .type(linkset)
      .send(JSON.stringify({ linkset: [described] }));
  });
  router.get('/openid-configuration', (_request, response) => {
    const { baseUrl } = services;
    response.set(cacheHeaders).json({
      issuer: baseUrl,
      jwks_uri: `${baseUrl}/.well-known/jwks`,
      scopes_supported: ['openid'],
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: ['iss', 'sub', 'aud', 'iat', 'nbf', 'exp', 'jti', ...claimNames],
    });
  });
  router.get('/oauth-authorization-server', (_request, response) => {
    response.set(cacheHeaders).json(authorizationServer(services.baseUrl));
  });
  router.get('/oauth-protected-resource', (_request, response) => {
    response.set(cacheHeaders).json(protectedResource(services.baseUrl, ''));
  });
  router.get('/oauth-protected-resource/mcp', (_request, response) => {
    response.set(cacheHeaders).json(protectedResource(services.baseUrl, '/mcp'));
  });
  router.get('/jwks', async (_request, response: Response) => {
    const requestId = String(response.getHeader('X-Request-Id') ?? '');
    const context = new Context(services, { actor: anonymous, surface: 'system', requestId });
    response.set(cacheHeaders).json(await perform(listOidcKeys, context, {}));
  });
  return router;
}
