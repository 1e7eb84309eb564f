import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LRUCache } from 'lru-cache';
import type { BusEvent, EventBus, SendingResult } from '../services/services.js';

const timeoutMs = 10_000;
/** Regions with a client; services name them. */
const mostRegions = 40;
/** Errors of an entry, and of a request, that pass by themselves. */
const passing = new Set([
  'InternalException',
  'InternalFailure',
  'InternalServiceError',
  'ServiceUnavailable',
  'ThrottlingException',
]);

/**
 * Opens the way to Amazon EventBridge. Credentials come from the environment as for every program of AWS: variables,
 * files, the role of a machine, a container or a service account. The SDK is loaded with the first event.
 */
export function openEventBus(): EventBus & { close(): void } {
  const clients = new LRUCache<string, Promise<EventBridgeClient>>({ max: mostRegions, dispose: closeClient });
  const clientOf = (region: string) => {
    const client = clients.get(region) ?? openClient(region);
    clients.set(region, client);
    return client;
  };
  return {
    put: async (event) => {
      try {
        return await put(await clientOf(event.region), event);
      } catch (error) {
        return refusal(error);
      }
    },
    close: () => clients.clear(),
  };
}

const closeClient = (client: Promise<EventBridgeClient>): void =>
  void client.then((each) => each.destroy()).catch(() => undefined);

async function openClient(region: string): Promise<EventBridgeClient> {
  const { EventBridgeClient: Client } = await import('@aws-sdk/client-eventbridge');
  // Retries are the sender's, which knows for how long.
  return new Client({
    region,
    maxAttempts: 1,
    requestHandler: { requestTimeout: timeoutMs, connectionTimeout: 5_000 },
  });
}

async function put(client: EventBridgeClient, event: BusEvent): Promise<SendingResult> {
  const { PutEventsCommand } = await import('@aws-sdk/client-eventbridge');
  const { bus, source, detailType, detail } = event;
  const entry = { EventBusName: bus, Source: source, DetailType: detailType, Detail: detail };
  const reply = await client.send(new PutEventsCommand({ Entries: [entry] }), {
    abortSignal: AbortSignal.timeout(timeoutMs),
  });
  const status = reply.$metadata.httpStatusCode ?? null;
  const [of] = reply.Entries ?? [];
  if (of?.EventId && !reply.FailedEntryCount) return { verdict: 'sent', status, words: of.EventId };
  const code = of?.ErrorCode ?? 'no event id';
  return {
    verdict: passing.has(code) ? 'retry' : 'refused',
    status,
    words: `Amazon EventBridge refused the event: ${code}${of?.ErrorMessage ? `: ${of.ErrorMessage}` : ''}`.slice(
      0,
      500,
    ),
  };
}

interface ServiceFault {
  name?: string;
  message?: string;
  $fault?: string;
  $metadata?: { httpStatusCode?: number };
}

function refusal(error: unknown): SendingResult {
  const { name = 'Error', message = String(error), $fault: fault, $metadata: metadata } = error as ServiceFault;
  const isFinal = fault === 'client' && !passing.has(name) && metadata?.httpStatusCode !== 429;
  return {
    verdict: isFinal ? 'refused' : 'retry',
    status: metadata?.httpStatusCode ?? null,
    words: `Amazon EventBridge: ${name}: ${message}`.slice(0, 500),
  };
}
