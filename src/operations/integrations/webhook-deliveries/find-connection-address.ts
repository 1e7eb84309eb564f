import { z } from 'zod';
import { type DeliveryProof, provesSecret } from '../../../auth/delivery-proof.js';
import { isId } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { openWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';

/** The webhook address of a connection, with the limits for its body. */
export interface ConnectionAddress {
  bodyBytes: number;
  unpackedBytes: number;
  /** Throws `unauthenticated` for a body without valid proof. */
  requireProof(proof: DeliveryProof | null, body: Uint8Array): void;
}

interface AddressSubject extends Subject {
  address: ConnectionAddress;
}

/** What deliveries to a connection need of it. */
export type DeliveryConnection = Pick<
  ProviderConnectionRow,
  'id' | 'organizationId' | 'provider' | 'host' | 'apiUrl' | 'webhookSecret'
>;

/** The connection of a webhook address; null for an unknown one. */
export async function findConnectionOfAddress({ services }: Context, id: string): Promise<DeliveryConnection | null> {
  if (!isId(id)) return null;
  const row = await services.db
    .selectFrom('provider_connections')
    .select(['id', 'organizationId', 'provider', 'host', 'apiUrl', 'webhookSecret'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Throws `unauthenticated` unless a delivery proves the secret of its connection, which must have one. */
export function requireConnectionProof(
  context: Context,
  { webhookSecret }: Pick<ProviderConnectionRow, 'webhookSecret'>,
  proof: DeliveryProof | null,
  body: Uint8Array,
): void {
  if (webhookSecret === null)
    throw new Problem(
      'unauthenticated',
      'This connection has no webhook secret, so no delivery can be believed: give it one, and the provider the same',
    );
  if (!provesSecret(proof, openWebhookSecret(context, webhookSecret), body))
    throw new Problem('unauthenticated', "The delivery is not signed with the connection's webhook secret");
}

/**
 * Looks up the connection of a webhook address before the body is read; throws `not_found` for an unknown one. Its URL
 * is no secret, unlike that of a pipeline, so a secret is required.
 */
export const findConnectionAddress = defineOperation({
  name: 'connection-webhook-address.find',
  summary: 'Returns the limits and the secret of the webhook address of a connection.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ connection: z.string() }),
  subject: async (context, { connection: id }): Promise<AddressSubject | null> => {
    const connection = await findConnectionOfAddress(context, id);
    return (
      connection && {
        address: {
          bodyBytes: limits.webhookBodyBytes,
          unpackedBytes: limits.webhookUnpackedBytes,
          requireProof: (proof, body) => requireConnectionProof(context, connection, proof, body),
        },
      }
    );
  },
  run: async (_context, _input, { address }) => address,
});
