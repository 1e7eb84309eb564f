import type { SentEvent } from '../domain/integrations/notification-events.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import type { NotificationServiceRow } from '../entities/database.js';
import type { Services } from '../services/services.js';
import type { BuildFacts } from './build-facts.js';
import type { FailedJobs } from './failed-jobs.js';

/** What a channel sends: one event to one receiver. */
export interface ChannelMessage {
  /** Id of the delivery, the same on every attempt. */
  deliveryId: string;
  /** URL of the receiver, for channels whose deliveries name it. */
  url: string;
  event: SentEvent;
  /** UTF-8 of an object of JSON, as it was when the event happened; shared with other receivers. */
  payload: Buffer;
  /** User who created the service; null without one. */
  sender: { id: string; name: string } | null;
  /** Null for an entry of `notify` that needs none. */
  service: NotificationServiceRow | null;
  /** Jobs that failed, for messages to people about a build or a step that did; none about anything else. */
  failedJobs: (facts: BuildFacts) => Promise<FailedJobs>;
  /** Room, address or key that the delivery names; empty if it names none. */
  target: JsonObject;
}

/** What a receiver answered: `status` is that of HTTP or SMTP. */
export interface ChannelReply {
  status: number;
  body: string;
}

/** What came of one attempt. */
export interface Attempt {
  /** `refused` is final: the same request would be refused again. */
  verdict: 'sent' | 'retry' | 'refused';
  reply: ChannelReply | null;
  /** Why it was not sent, in words for users; null if it was. */
  error: string | null;
  durationMs: number;
  /** Pause that the receiver asked for. */
  retryAfterMs?: number | null;
  /** The request without secrets; absent where the request is the payload. */
  request?: string;
}

export type Answer = Omit<Attempt, 'durationMs'>;

/** A way to send notifications. Nothing of it is about retries, order or bounds: the sender has those for all. */
export interface Channel {
  /** Sends an event once. May throw for a receiver that does not answer: it is tried again. */
  send(services: Services, message: ChannelMessage): Promise<Answer>;
  /**
   * Retries: `days` for receivers that must get every event in the end, `hour` for messages that are of no use to
   * people later.
   */
  patience: 'days' | 'hour';
}

/** The payload of a message as an object. */
export function payloadOf({ payload }: ChannelMessage): JsonObject {
  return JSON.parse(payload.toString('utf8')) as JsonObject;
}

/** Why an attempt threw, as it is stored. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.slice(0, 500);
}
