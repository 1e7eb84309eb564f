import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { UserActor } from '../../auth/actor.js';
import { hashPieces, type Pieces } from '../../http/send-pieces.js';
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

const common = Object.entries({
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

/** Sets the headers of every reply. `Cache-Control` is `no-cache` unless a successful reply replaces it. */
export function setCommonHeaders(response: ServerResponse, requestId: string, secure: boolean): void {
  response.removeHeader('X-Powered-By');
  response.setHeader('X-Request-Id', requestId);
  for (const [name, value] of common) response.setHeader(name, value);
  if (secure) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

/** Sets the headers of a CORS preflight reply. Every origin is allowed, because authentication does not use cookies. */
export function setPreflightHeaders(response: ServerResponse): void {
  response.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Accept, Range, If-None-Match, Idempotency-Key, X-Request-Id',
  );
  response.setHeader('Access-Control-Max-Age', '86400');
}

/** Sets the headers with the token's scopes and the scope that the endpoint requires, if any. */
export function setScopeHeaders(response: ServerResponse, actor: UserActor, scope: Scope | null): void {
  response.setHeader('X-OAuth-Scopes', [...actor.scopes].join(','));
  if (scope !== null) response.setHeader('X-Accepted-OAuth-Scopes', scope);
}

/** A weak entity tag: half of the body's SHA-256, for which processors have instructions. */
export function entityTag(body: string | Buffer): string {
  return tagOf(hash('sha256', body));
}

/** The entity tag of a large body. */
export async function entityTagOf(body: Pieces): Promise<string> {
  return tagOf((await hashPieces('sha256', body)).digest('hex'));
}

const tagOf = (digest: string) => `W/"${digest.slice(0, 32)}"`;
