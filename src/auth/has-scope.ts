import { type Scope, scopeAllows, type Surface } from '../domain/organizations/scopes.js';
import type { Actor } from './actor.js';

/** Whether a caller has a scope (null: any credential) on a surface: scopes limit users only, by their tokens. */
export const hasScope = (actor: Actor, scope: Scope | null, surface: Surface): boolean =>
  actor.kind !== 'user' || scopeAllows(actor.scopes, scope, surface);
