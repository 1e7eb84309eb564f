import { randomBytes } from 'node:crypto';
import { seal, unseal } from '../../auth/sealed.js';
import { hashToken, sameSecret } from '../../auth/secrets.js';
import type { Context } from '../../context.js';
import { scopeAllows } from '../../domain/scopes.js';
import { Problem } from '../../domain/problem.js';
import type { SuiteRow } from '../../entities/database.js';
import { requireEditable } from './require-editable.js';
import type { SuiteSubject } from './find-suite.js';

const purpose = 'suite-token';

/** A new upload token of 24 characters (rest-facts 7.2), with what is kept of it. */
export function newSuiteToken({ services }: Context): Pick<SuiteRow, 'tokenHash' | 'tokenSealed'> {
  const token = randomBytes(18).toString('base64url');
  return { tokenHash: hashToken(token), tokenSealed: seal(services.secretKey, purpose, token) };
}

/**
 * The upload token of a suite, for whoever may edit it with a token that may write suites (rest-facts 3.8); `forbidden`
 * and `scope_missing` otherwise. Null where only the hash is kept: the token stands in the provisioning file.
 */
export function shownToken(context: Context, { suite, editable }: Pick<SuiteSubject, 'suite' | 'editable'>): string | null {
  const { actor, request, services } = context;
  if (actor.kind === 'user' && !scopeAllows(actor.scopes, 'write_suites', request.door)) {
    throw new Problem('scope_missing', "Your access token doesn't have the write_suites scope", { scope: 'write_suites' });
  }
  requireEditable({ editable });
  const token = suite.tokenSealed === null ? null : unseal(services.secretKey, purpose, suite.tokenSealed);
  // A provisioning file may have given the suite another token since.
  return token !== null && sameSecret(hashToken(token), suite.tokenHash) ? token : null;
}
