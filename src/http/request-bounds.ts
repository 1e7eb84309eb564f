import type { ServerResponse } from 'node:http';
import { Context, type LateReads, type RequestFacts } from '../request/context.js';
import type { Services } from '../services/services.js';
import { type ReadShare, readMemoryOf } from '../database/read-memory.js';
import { type ReadBounds, RequestReads } from '../database/request-reads.js';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';

/** Ends a request before its reply: at its deadline, or when its client disconnects. */
export class RequestBounds {
  readonly reads: RequestReads;
  /** What the request reads and holds; to be released when its reply is made. */
  readonly share: ReadShare;

  /**
   * @param signal aborted, with a {@link Problem} as the reason, when the request is over
   * @param reads bounds of its reads; default: the bounds of requests of users
   */
  constructor(
    private readonly services: Services,
    readonly signal: AbortSignal,
    reads: Partial<Pick<ReadBounds, 'most' | 'shared'>> = {},
  ) {
    const { requestStatements: most = limits.requestStatements } = services.limits;
    this.share = readMemoryOf(services).share();
    this.reads = new RequestReads({
      signal,
      atOnce: limits.requestStatementsAtOnce,
      most,
      shared: services.readTurns,
      ...reads,
      share: this.share,
    });
  }

  /**
   * Lifts the limit on the number of reads, for replies that are read and sent in pieces, such as a log of a million
   * chunks.
   */
  allowStream(): void {
    this.reads.most = Infinity;
  }

  /** Runs work whose reads are not recorded with the reads of the request. */
  async unrecorded<T>(work: () => Promise<T>): Promise<T> {
    const { recorder } = this.reads;
    this.reads.recorder = null;
    try {
      return await work();
    } finally {
      this.reads.recorder = recorder;
    }
  }

  /** The connections of the request, within these bounds. */
  get db(): Services['db'] {
    return this.reads.handle(this.services.db);
  }

  /**
   * The context of the request: its reads keep these bounds, and its commands begin only while the request lasts.
   *
   * @param services services in place of the usual ones, such as the services of a recording
   */
  context(facts: RequestFacts, services = this.services): Context {
    const late = this.lateReads(facts);
    return new Context(
      services,
      { ...facts, signal: this.signal, share: this.share, late },
      this.reads.handle(this.services.db),
    );
  }

  /** Only for API tokens: the console follows events, and must then find what they tell. */
  private lateReads({ actor, isCurrent }: RequestFacts): LateReads | undefined {
    const { readReplica, db } = this.services;
    if (!readReplica || actor.kind !== 'user' || actor.apiTokenId === null) return undefined;
    if (isCurrent || actor.wroteLately) return undefined;
    return { db: this.reads.lateHandle(db, readReplica), isOpen: true };
  }
}

/** Why a request ends at its deadline. */
export const timedOut = (): Problem =>
  new Problem('timed_out', 'The request took too long. Please try again, or ask for fewer objects at a time.', {
    retryAfter: 5,
  });

/**
 * Bounds the request behind a response. The deadline applies until the reply begins: a streamed reply may take longer,
 * and ends when its reader disconnects.
 */
export function boundRequest(services: Services, response: ServerResponse): RequestBounds {
  const control = new AbortController();
  const { requestMilliseconds = limits.requestSeconds * 1000 } = services.limits;
  const timer = setTimeout(() => {
    if (!response.headersSent) control.abort(timedOut());
  }, requestMilliseconds);
  timer.unref();
  const bounds = new RequestBounds(services, control.signal);
  endWithResponse(bounds, control, response, () => clearTimeout(timer));
  return bounds;
}

/**
 * Bounds for machines, such as agents, test collectors and source providers. Rows that they read count in the memory of
 * all requests and are cut off beyond the bound of one request, but machines have no deadline and take no turns.
 */
export function meterRequest(services: Services, response: ServerResponse): RequestBounds {
  const control = new AbortController();
  const bounds = new RequestBounds(services, control.signal, { most: Infinity, shared: undefined });
  endWithResponse(bounds, control, response);
  return bounds;
}

/** Ends a request whose client disconnects, and gives back what it has read when its response closes. */
function endWithResponse(
  bounds: RequestBounds,
  control: AbortController,
  response: ServerResponse,
  finish?: () => void,
): void {
  const end = () => {
    finish?.();
    // First, so that nothing waits for room on a share that is given back.
    if (!response.writableFinished) control.abort(new Problem('timed_out', 'The client has left'));
    bounds.share.release();
  };
  // The client may have left before, while its body was read.
  if (response.destroyed) end();
  else response.once('close', end);
}
