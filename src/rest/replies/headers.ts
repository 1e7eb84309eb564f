import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { UserActor } from '../../auth/actor.js';
import type { Scope } from '../../domain/organizations/scopes.js';

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const exposed = [
  'Link',
  'ETag',
  'X-Request-Id',
  'X-OAuth-Scopes',
  'X-Accepted-OAuth-Scopes',
  'Retry-After',
  'RateLimit-Scope',
  'RateLimit-Remaining',
  'RateLimit-Limit',
  'RateLimit-Reset',
  'RateLimit-Warning',
  'RateLimit-User-Scope',
  'RateLimit-User-Remaining',
  'RateLimit-User-Limit',
  'RateLimit-User-Reset',
  'RateLimit-User-Warning',
].join(', ');

/** Sets the headers of every reply. `Cache-Control` is `no-cache` unless a successful reply replaces it. */
export function setCommonHeaders(response: Response, requestId: string, secure: boolean): void {
  response.removeHeader('X-Powered-By');
  response.set({
    'X-Request-Id': requestId,
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Expose-Headers': exposed,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'X-XSS-Protection': '0',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  });
  if (secure) response.set('Strict-Transport-Security', 'max-age=31536000');
}

/** Sets the headers of a CORS preflight reply. Every origin is allowed, because authentication does not use cookies. */
export function setPreflightHeaders(response: Response): void {
  response.set({
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Accept, Range, If-None-Match, Idempotency-Key, X-Request-Id',
    'Access-Control-Max-Age': '86400',
  });
}

/** Sets the headers with the token's scopes and the scope that the endpoint requires, if any. */
export function setScopeHeaders(response: Response, actor: UserActor, scope: Scope | null): void {
  response.set('X-OAuth-Scopes', [...actor.scopes].join(','));
  if (scope !== null) response.set('X-Accepted-OAuth-Scopes', scope);
}

/** A weak entity tag: half of the body's SHA-256, for which processors have instructions. */
export function entityTag(body: string | Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
}
