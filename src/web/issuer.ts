import { type Response, Router } from 'express';
import { Context } from '../context.js';
import type { Services } from '../services.js';
import { perform } from '../core/operation.js';
import { claimNames } from '../domain/oidc/claims.js';
import { listOidcKeys } from '../operations/installation/oidc-keys/list.js';

/** Receivers ask again after this many seconds; a key is published for a day before it signs. */
const cacheHeaders = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };

/** The issuer of the identity tokens of jobs: `/openid-configuration` and `/jwks`, for whoever receives one. */
export function issuerRouter(services: Services): Router {
  const router = Router();
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
  router.get('/jwks', async (_request, response: Response) => {
    const requestId = String(response.getHeader('X-Request-Id') ?? '');
    const context = new Context(services, { actor: { kind: 'anonymous' }, surface: 'system', requestId });
    response.set(cacheHeaders).json(await perform(listOidcKeys, context, {}));
  });
  return router;
}
