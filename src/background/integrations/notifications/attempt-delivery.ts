import { createHmac } from 'node:crypto';
import { unsealOwn } from '../../../auth/sealed.js';
import { isTaken } from '../../../domain/integrations/notification-retry.js';
import type { NotificationServiceRow } from '../../../entities/database.js';
import type { OutboundReply, Services } from '../../../services/services.js';
import type { DueDelivery } from './due-deliveries.js';

/** What came of one attempt: a reply, or the reason why there was none. */
export interface Attempt {
  reply: OutboundReply | null;
  error: string | null;
  durationMs: number;
}

/** Sends a delivery once, with the payload that it shares with others. Never throws. */
export async function attemptDelivery(
  services: Services,
  { delivery, service, sender }: DueDelivery,
  { event, payload }: { event: string; payload: Buffer },
): Promise<Attempt> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const body = sender ? withSender(payload, sender) : [payload];
    const reply = await services.outbound.send({
      method: 'POST',
      url: delivery.url,
      headers: {
        'content-type': 'application/json',
        'x-buildkite-event': event,
        'x-slipway-delivery': delivery.id,
        ...credentials(services, service, body),
      },
      body,
      tlsVerify: service?.tlsVerify ?? true,
    });
    return {
      reply,
      error: isTaken(reply.status) ? null : `The receiver answered ${reply.status}.`,
      durationMs: took(),
    };
  } catch (error) {
    return { reply: null, error: reasonOf(error), durationMs: took() };
  }
}

/**
 * The payload, an object of JSON with `event` at least, with a last member: in pieces, because a copy has its size
 * again.
 */
function withSender(payload: Buffer, sender: NonNullable<DueDelivery['sender']>): Buffer[] {
  return [payload.subarray(0, payload.lastIndexOf('}')), Buffer.from(`,"sender":${JSON.stringify(sender)}}`)];
}

/** Exactly one of token and signature; the signature covers the time of this dispatch and the raw body. */
function credentials(
  services: Services,
  service: NotificationServiceRow | null,
  body: readonly Buffer[],
): Record<string, string> {
  const token = service?.sealedToken
    ? unsealOwn(services.secretKey, 'notification-service', service.sealedToken)
    : null;
  if (!service || token === null) return {};
  if (service.tokenMode === 'token') return { 'x-buildkite-token': token };
  return { 'x-buildkite-signature': signatureHeader(token, Math.floor(services.clock.now().getTime() / 1000), body) };
}

/** `timestamp=<unix seconds>,signature=<hex HMAC-SHA256 of "timestamp.body">`: two parts, as receivers parse it. */
export function signatureHeader(token: string, timestamp: number, body: string | readonly Buffer[]): string {
  const signature = createHmac('sha256', token).update(`${timestamp}.`);
  for (const piece of typeof body === 'string' ? [body] : body) signature.update(piece);
  return `timestamp=${timestamp},signature=${signature.digest('hex')}`;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.slice(0, 500);
}
