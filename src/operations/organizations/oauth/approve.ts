import { z } from 'zod';
import { challengeShape } from '../../../auth/proof-key.js';
import { hashToken, newToken } from '../../../auth/secrets.js';
import { defineOperation } from '../../../core/operation.js';
import { limits } from '../../../domain/limits/limits.js';
import { ownRedirect } from '../../../domain/organizations/oauth/redirect-uri.js';
import { invalidField } from '../../../domain/problem.js';
import { grantableOrganizations } from '../../../resources/organizations/api-tokens/grantable-organizations.js';
import { findClient, keepClient } from '../../../resources/organizations/oauth/client.js';
import { answer, insertGrant, refuseManyGrants } from '../../../resources/organizations/oauth/grant.js';
import { findSignedIn, type SignedInSubject } from '../../../resources/organizations/sessions/own-session.js';

export interface Approval {
  /** What the program fetches its token with; returned by this operation only. */
  code: string;
  /** With the name of the program, for the audit log. */
  grant: { id: string; name: string };
}

/**
 * Grants a program the access that it asks for by a browser: some scopes, in some organizations of the person who is
 * signed in. Throws `invalid` for a program or an address that is not known, and for organizations for which they may
 * make no token.
 */
export const approveGrant = defineOperation({
  name: 'oauth-grant.approve',
  summary: 'Grants a program access.',
  kind: 'command',
  scope: null,
  access: 'authenticated',
  input: z.object({
    ...answer,
    client: z.string().max(300),
    redirectUri: z.string().max(limits.oauthRedirectUriLength),
    codeChallenge: z.string().max(43).regex(challengeShape),
    resource: z.string().max(limits.oauthRequestLength).nullable(),
  }),
  subject: (context) => findSignedIn(context),
  run: async (context, request, { user }: SignedInSubject): Promise<Approval> => {
    const client = await findClient(context, request.client);
    if (!client) throw invalidField('client', 'is not known');
    if (!ownRedirect(client.redirectUris, request.redirectUri)) throw invalidField('redirectUri', 'is not its own');
    await refuseManyGrants(context, user.id);
    const organizations = (await grantableOrganizations(context, request.organizations)) ?? [];
    const code = newToken('', 32);
    const { redirectUri, codeChallenge, resource } = request;
    const grant = await insertGrant(context, {
      kind: 'code',
      state: 'approved',
      client: client.id,
      clientName: client.name,
      secretHash: hashToken(code),
      scopes: [...new Set(request.scopes)],
      userId: user.id,
      organizations,
      redirectUri,
      codeChallenge,
      resource,
      pollSeconds: 0,
      expiresAt: new Date(context.now.getTime() + limits.oauthCodeSeconds * 1000),
    });
    await keepClient(context, client);
    return { code, grant: { id: grant.id, name: client.name } };
  },
});
