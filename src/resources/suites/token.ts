import { randomBytes } from 'node:crypto';
import { seal, unsealOwn } from '../../auth/sealed.js';
import { hashToken, sameSecret } from '../../auth/secrets.js';
import type { Context } from '../../request/context.js';
import { hasScope } from '../../auth/has-scope.js';
import { Problem } from '../../domain/problem.js';
import type { SuiteRow } from '../../entities/database.js';
import { requireEditable } from './require-editable.js';
import type { SuiteSubject } from '../../core/find-suite.js';

const purpose = 'suite-token';

/** Creates an upload token of 24 characters, with its columns. */
export function newSuiteToken({ services }: Context): Pick<SuiteRow, 'tokenHash' | 'tokenSealed'> {
  const token = randomBytes(18).toString('base64url');
  return { tokenHash: hashToken(token), tokenSealed: seal(services.secretKey, purpose, token) };
}

/**
 * Returns the upload token of a suite; null if only its hash is stored, because the provisioning file has the token.
 * Throws `forbidden` or `scope_missing` unless the caller may edit the suite with a token that may write suites.
 */
export function shownToken(
  context: Context,
  { suite, editable }: Pick<SuiteSubject, 'suite' | 'editable'>,
): string | null {
  const { actor, request, services } = context;
  if (!hasScope(actor, 'write_suites', request.surface)) {
    throw new Problem('scope_missing', "Your access token doesn't have the write_suites scope", {
      scope: 'write_suites',
    });
  }
  requireEditable({ editable });
  const token = suite.tokenSealed === null ? null : unsealOwn(services.secretKey, purpose, suite.tokenSealed);
  // A provisioning file may have given the suite another token since.
  return token !== null && sameSecret(hashToken(token), suite.tokenHash) ? token : null;
}
