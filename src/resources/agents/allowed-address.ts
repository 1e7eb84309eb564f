import type { RegistrationActor } from '../../auth/actor.js';
import { addressIsAllowed } from '../../auth/address-list.js';
import type { Context } from '../../request/context.js';
import { Problem } from '../../domain/problem.js';

/** Throws `forbidden` for a request from an address that its registration token does not allow. */
export async function requireAllowedAddress(context: Context, token: RegistrationActor): Promise<void> {
  const row = await context.load.agentToken.load(token.agentTokenId);
  if (!addressIsAllowed(row?.allowedIpAddresses ?? null, context.request.ipAddress ?? null)) {
    throw new Problem('forbidden', 'The agent token does not allow agents from this address');
  }
}
