import { createHash, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { UserActor } from '../auth/actor.js';
import type { Scope } from '../domain/scopes.js';

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const exposed = [
  'Link', 'ETag', 'X-Request-Id', 'X-OAuth-Scopes', 'X-Accepted-OAuth-Scopes', 'Retry-After',
  'RateLimit-Scope', 'RateLimit-Remaining', 'RateLimit-Limit', 'RateLimit-Reset', 'RateLimit-Warning',
  'RateLimit-User-Scope', 'RateLimit-User-Remaining', 'RateLimit-User-Limit', 'RateLimit-User-Reset', 'RateLimit-User-Warning',
].join(', ');

/** The request's id: what came in `X-Request-Id` if it is harmless, else the one the server gave it, else a new one. */
export function requestIdOf(request: Request, response: Response): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && /^[A-Za-z0-9._:=+/-]{1,128}$/.test(given)) return given;
  const set = response.getHeader('X-Request-Id');
  return typeof set === 'string' ? set : randomUUID();
}

/** Headers of every reply (rest-facts 1.2). `no-cache` stands until a success says otherwise. */
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

/** What a browser asks before it sends a request with a token; any origin may, since nothing rides on cookies. */
export function setPreflightHeaders(response: Response): void {
  response.set({
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept, Range, If-None-Match, Idempotency-Key, X-Request-Id',
    'Access-Control-Max-Age': '86400',
  });
}

/** The scope an endpoint takes and those the token has. */
export function setScopeHeaders(response: Response, actor: UserActor, scope: Scope | null): void {
  response.set('X-OAuth-Scopes', [...actor.scopes].join(','));
  if (scope !== null) response.set('X-Accepted-OAuth-Scopes', scope);
}

/** A weak entity tag: the MD5 of the body. */
export function entityTag(body: string): string {
  return `W/"${createHash('md5').update(body).digest('hex')}"`;
}
