import pRetry from 'p-retry';
import type { z } from 'zod';
import { isStorable } from '../domain/input-text.js';
import {
  type ProviderRateLimit,
  rateLimitOf,
  refusalFacts,
  refusalWords,
} from '../domain/integrations/provider-refusal.js';
import type { Clock } from '../services/clock.js';
import type { Outbound, OutboundReply, OutboundRequest } from '../services/services.js';
import { ProviderRefusal } from '../services/source-providers.js';

/** Bytes of a list that are read at most. */
const listBytes = 4 * 1024 * 1024;
/**
 * Timeout of each attempt at a request for which a user waits; there are at most two attempts.
 */
export const waitedForMs = 3_000;

/** What a provider is called with. */
export interface ProviderCalls {
  outbound: Outbound;
  clock: Clock;
}

export interface ApiRequest extends Pick<OutboundRequest, 'method' | 'replyBytes' | 'timeoutMs'> {
  /** Path below the API's root with its query. */
  path: string;
  body?: object;
  /** Headers beside those of the API, such as another credential. */
  headers?: Record<string, string>;
}

export interface ApiReply extends Omit<OutboundReply, 'headers'> {
  headers: Readonly<Record<string, string>>;
}

/** Requests to the JSON API of one provider with one credential. */
export class ProviderApi {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly apiUrl: string,
    /** Headers of every request, the credential among them. */
    private readonly headers: () => Record<string, string> | Promise<Record<string, string>>,
    /** Called after a 401; true if another credential is to be tried, once. */
    private readonly renew: () => boolean = () => false,
  ) {}

  /** Sends a request and returns any reply; throws {@link ProviderRefusal} without one. */
  async send(request: ApiRequest): Promise<ApiReply> {
    const reply = await this.sendOnce(request);
    return reply.status === 401 && this.renew() ? this.sendOnce(request) : reply;
  }

  /** As `send`, repeated once if the provider could not be reached or was busy: for requests that a user waits for. */
  sendPatiently(request: ApiRequest): Promise<ApiReply> {
    const attempt = async () => {
      const reply = await this.send({ timeoutMs: waitedForMs, ...request });
      if (reply.status === 429 || reply.status >= 500) throw this.refusal(reply);
      return reply;
    };
    return pRetry(attempt, { retries: 1, minTimeout: 200, maxTimeout: 400 });
  }

  /** Sends a request that must be answered with one of `statuses`. */
  async expect(request: ApiRequest, ...statuses: number[]): Promise<ApiReply> {
    const reply = await this.send(request);
    if (!statuses.includes(reply.status)) throw this.refusal(reply);
    return reply;
  }

  /** Reads a resource or a page of a list. */
  async get<Shape>(shape: z.ZodType<Shape>, path: string, more: Partial<ApiRequest> = {}): Promise<Shape> {
    return this.read(shape, await this.expect({ method: 'GET', path, replyBytes: listBytes, ...more }, 200));
  }

  /** Reads the body of a reply; throws {@link ProviderRefusal} for another form. */
  read<Shape>(shape: z.ZodType<Shape>, { body, status }: Pick<ApiReply, 'body' | 'status'>): Shape {
    try {
      return shape.parse(JSON.parse(body, storable));
    } catch {
      throw new ProviderRefusal('its answer cannot be read', { kind: 'busy', status, waitMs: null });
    }
  }

  /** The refusal that a reply is, with the provider's words. */
  refusal(reply: ApiReply): ProviderRefusal {
    const now = this.calls.clock.now();
    const words = refusalWords(reply);
    return new ProviderRefusal(
      `it answered ${reply.status}${words === '' ? '' : `: ${words}`}`,
      refusalFacts(reply, now),
      rateLimitOf(reply, now),
    );
  }

  rateLimit(reply: ApiReply): ProviderRateLimit | null {
    return rateLimitOf(reply, this.calls.clock.now());
  }

  private async sendOnce({ path, body, headers, ...more }: ApiRequest): Promise<ApiReply> {
    const all = {
      accept: 'application/json',
      ...(await this.headers()),
      ...headers,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const url = `${this.apiUrl.replace(/\/+$/, '')}${path}`;
    try {
      const reply = await this.calls.outbound.send({
        ...more,
        url,
        headers: all,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { ...reply, headers: reply.headers ?? {} };
    } catch (error) {
      throw new ProviderRefusal(error instanceof Error ? error.message || error.name : 'no reply');
    }
  }
}

/** Path of a repository with each part encoded. */
export const encodedPath = (repository: string) => repository.split('/').map(encodeURIComponent).join('/');

/** Replaces characters that the database cannot store: commit messages of old repositories have some. */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && !isStorable(value) ? value.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD') : value;
