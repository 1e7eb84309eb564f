import { createHmac } from 'node:crypto';
import { unsealOwn } from '../../auth/sealed.js';
import { isTaken } from '../../domain/integrations/notification-retry.js';
import type { NotificationServiceRow } from '../../entities/database.js';
import type { Services } from '../../services/services.js';
import type { Channel, ChannelMessage } from '../channel.js';

/** POST of the payload to the URL of an outgoing webhook, or of a `webhook` entry of `notify`. */
export const webhook: Channel = {
  patience: 'days',
  send: async (services, { deliveryId, url, event, payload, sender, service }) => {
    const body = sender ? withSender(payload, sender) : [payload];
    const reply = await services.outbound.send({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'x-buildkite-event': event,
        'x-slipway-delivery': deliveryId,
        ...credentials(services, service, body),
      },
      body,
      tlsVerify: service?.tlsVerify ?? true,
    });
    return isTaken(reply.status)
      ? { verdict: 'sent', reply, error: null }
      : { verdict: 'retry', reply, error: `The receiver answered ${reply.status}.` };
  },
};

/**
 * The payload, an object of JSON with `event` at least, with a last member: in pieces, because a copy has its size
 * again.
 */
function withSender(payload: Buffer, sender: NonNullable<ChannelMessage['sender']>): Buffer[] {
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
