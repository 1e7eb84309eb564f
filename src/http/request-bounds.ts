import type { ServerResponse } from 'node:http';
import { Context, type RequestFacts } from '../context.js';
import type { Services } from '../services.js';
import { RequestReads } from '../database/request-reads.js';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';

/** Ends a request before its reply: at its deadline, or when its client disconnects. */
export class RequestBounds {
  readonly reads: RequestReads;

  /** @param signal aborted, with a {@link Problem} as the reason, when the request is over. */
  constructor(
    private readonly services: Services,
    readonly signal: AbortSignal,
  ) {
    const { requestStatements: most = limits.requestStatements } = services.limits;
    this.reads = new RequestReads({ signal, atOnce: limits.requestStatementsAtOnce, most, shared: services.readTurns });
  }

  /** Lifts the limit on the number of reads, for replies that are read and sent in pieces, such as a log of a million chunks. */
  allowStream(): void {
    this.reads.most = Infinity;
  }

  /** Does work whose reads are not recorded with those of the request. */
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
   * @param services what it gets in place of the usual ones, such as those of a recording
   */
  context(facts: RequestFacts, services = this.services): Context {
    return new Context(services, { ...facts, signal: this.signal }, this.reads.handle(this.services.db));
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
  response.once('close', () => {
    clearTimeout(timer);
    if (!response.writableFinished) control.abort(new Problem('timed_out', 'The client has left'));
  });
  return new RequestBounds(services, control.signal);
}
