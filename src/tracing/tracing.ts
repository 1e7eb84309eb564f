import type { IncomingHttpHeaders } from 'node:http';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
/** Attributes of a span; absent ones are left out. */
export type SpanAttributes = Record<string, string | number | boolean | string[] | null | undefined>;

export interface SpanFacts {
  name: string;
  kind?: SpanKind;
  attributes?: SpanAttributes;
}

/** A span of something that is over, with ids of its own: hexadecimal digits, 32 of a trace and 16 of a span. */
export interface PastSpan extends Required<SpanFacts> {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  /** Whether the caller whose trace it is has it recorded; null for a trace that begins here. */
  isSampledByCaller: boolean | null;
  startedAt: Date;
  endedAt: Date;
  /** Why it counts as an error; null if it does not. */
  error: string | null;
}

/** The span of a request, ended by whoever answers it. */
export interface RequestSpan {
  traceId: string;
  end(facts: { name: string; attributes: SpanAttributes; isError: boolean }): void;
}

/** Where spans go, implemented over OpenTelemetry's SDK (`open-tracing.ts`). Nothing of it throws. */
export interface Tracer {
  /** Runs `work` in a span. */
  run<T>(span: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** Whether the calling code runs in a span that is recorded. */
  isActive(): boolean;
  /** Begins the span of a request, below the one that its headers name, and handles the request in it. */
  request(headers: IncomingHttpHeaders, handle: (span: RequestSpan) => void): void;
  /** Sends spans of what is over; resolves once they are sent or lost. */
  send(spans: readonly PastSpan[]): Promise<void>;
}

let tracer: Tracer | null = null;

/** Has all spans of the process go to a tracer; null ends that. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** The tracer of the process; null where nobody has asked for traces. */
export const currentTracer = (): Tracer | null => tracer;

/** Runs work in a span, which begins a trace where there is none. */
export function inSpan<T>(span: SpanFacts, work: () => Promise<T>): Promise<T> {
  return tracer ? tracer.run(span, work) : work();
}

/**
 * The same for work that is of no interest by itself, such as a statement: only inside of another span. `span` is made
 * only where it is needed.
 */
export function inChildSpan<T>(span: () => SpanFacts, work: () => Promise<T>): Promise<T> {
  return tracer?.isActive() ? tracer.run(span(), work) : work();
}
