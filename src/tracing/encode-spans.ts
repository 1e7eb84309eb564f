import { TraceState } from '@opentelemetry/core';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { readableSpan } from './readable-span.js';
import type { PastSpan } from './tracing.js';

/** What the owner of a collector sets for the spans that come there. */
export interface SpanLabels {
  serviceName: string;
  resourceAttributes: Record<string, string>;
  traceState: Record<string, string>;
}

/** The body of a request of OTLP over HTTP with these spans, as binary Protobuf. */
export function encodeSpans(spans: readonly PastSpan[], labels: SpanLabels): Uint8Array {
  const { serviceName, resourceAttributes, traceState } = labels;
  const resource = resourceFromAttributes({ ...resourceAttributes, 'service.name': serviceName });
  const members = Object.entries(traceState).map(([key, value]) => `${key}=${value}`);
  const origin = {
    resource,
    version: '1',
    ...(members.length > 0 ? { traceState: new TraceState(members.join(',')) } : {}),
  };
  const encoded = ProtobufTraceSerializer.serializeRequest(spans.map((span) => readableSpan(span, origin)));
  if (!encoded) throw new Error('the spans could not be encoded');
  return encoded;
}
