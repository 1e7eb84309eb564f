import { z } from 'zod';
import { type DeliveryProof, provesSecret } from '../../../auth/delivery-proof.js';
import { limits } from '../../../domain/limits/limits.js';
import { forbidden, Problem } from '../../../domain/problem.js';
import type { TriggerKind } from '../../../domain/pipelines/trigger-kinds.js';
import { defineOperation } from '../../../core/operation.js';
import { findTriggerByToken } from '../../pipelines/triggers/deliver.js';
import type { Subject } from '../../../core/subject.js';
import { findPipelineByToken } from './receive.js';
import { openWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';

/** The pipeline or pipeline trigger of a webhook URL, with the limits for its body. */
export interface WebhookAddress {
  kind: 'delivery' | 'trigger';
  /** Largest body in bytes. */
  bodyBytes: number;
  /** Largest body in bytes once it is decompressed. */
  unpackedBytes: number;
  /** Throws `unauthenticated` for a body without valid proof, where a secret is set. */
  requireProof(
    delivery: DeliveryProof | null,
    trigger: Partial<Record<TriggerKind, DeliveryProof>>,
    body: Uint8Array,
  ): void;
}

interface AddressSubject extends Subject {
  address: WebhookAddress;
}

/**
 * Looks up the token of a webhook URL before the body is read; throws `not_found` for an unknown one. The operations
 * that process the body check everything again in their transaction.
 */
export const findWebhookAddress = defineOperation({
  name: 'webhook-address.find',
  summary: 'Returns the pipeline or trigger of a webhook URL.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ token: z.string() }),
  subject: async (context, { token }): Promise<AddressSubject | null> => {
    if (token.startsWith('bktr_')) {
      const { trigger } = await findTriggerByToken(context, token);
      if (!trigger.enabled) throw forbidden('Pipeline trigger is disabled');
      const secret = trigger.secret === null ? null : openWebhookSecret(context, trigger.secret);
      return {
        address: {
          kind: 'trigger',
          bodyBytes: limits.triggerBodyBytes,
          unpackedBytes: limits.webhookUnpackedBytes,
          requireProof: (_delivery, proofs, body) => {
            if (secret !== null && !provesSecret(proofs[trigger.kind] ?? null, secret, body))
              throw new Problem('unauthenticated', 'The body is not signed with the secret of this trigger');
          },
        },
      };
    }
    const subject = await findPipelineByToken(context, token);
    if (!subject) return null;
    const secret = subject.sealedSecret === null ? null : openWebhookSecret(context, subject.sealedSecret);
    return {
      address: {
        kind: 'delivery',
        bodyBytes: limits.webhookBodyBytes,
        unpackedBytes: limits.webhookUnpackedBytes,
        requireProof: (proof, _proofs, body) => {
          if (secret !== null && !provesSecret(proof, secret, body))
            throw new Problem('unauthenticated', 'The delivery is not signed with the secret of this webhook');
        },
      },
    };
  },
  run: async (_context, _input, { address }) => address,
});
