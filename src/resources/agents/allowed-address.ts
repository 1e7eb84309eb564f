import { LRUCache } from 'lru-cache';
import type { RegistrationActor } from '../../auth/actor.js';
import { addressIsAllowed } from '../../auth/address-list.js';
import { asSystem } from '../../core/system-transaction.js';
import type { Context } from '../../request/context.js';
import { Problem } from '../../domain/problem.js';

/** Refusal of a registration token for the address that it is used from. */
class AddressRefusal extends Problem {
  constructor(
    readonly token: RegistrationActor,
    readonly address: string | null,
  ) {
    super('forbidden', 'The agent token does not allow agents from this address');
  }
}

/** Throws `forbidden` for a request from an address that its registration token does not allow. */
export async function requireAllowedAddress(context: Context, token: RegistrationActor): Promise<void> {
  const row = await context.load.agentToken.load(token.agentTokenId);
  const address = context.request.ipAddress ?? null;
  if (!addressIsAllowed(row?.allowedIpAddresses ?? null, address)) throw new AddressRefusal(token, address);
}

/** Refusals that were recorded a short time ago: an agent that is refused tries again and again. */
const recorded = new LRUCache<string, true>({ max: 1000, ttl: 60_000 });

/**
 * Records a refusal of a registration token, whose own transaction was rolled back, once a minute for each token and
 * address; does nothing for any other error.
 */
export async function recordAddressRefusal({ services }: Context, error: unknown): Promise<void> {
  if (!(error instanceof AddressRefusal)) return;
  const { token, address } = error;
  const key = `${token.agentTokenId} ${address ?? ''}`;
  if (recorded.has(key)) return;
  recorded.set(key, true);
  await asSystem(services, 'registration-blocked', async (context) => {
    context.record({
      organizationId: token.organizationId,
      subject: 'cluster',
      subjectId: token.clusterId,
      type: 'agent-token.registration_blocked',
      data: { blocked_ip: address, agent_token: token.agentTokenId },
    });
  });
}
