import { type Link, SpanKind as ApiKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { hrTimeDuration, millisToHrTime, TraceState } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { PastSpan, SpanAttributes, SpanKind } from './tracing.js';

/** Version of the conventions whose names the spans have. */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0';

export const apiKinds: Record<SpanKind, ApiKind> = {
  internal: ApiKind.INTERNAL,
  server: ApiKind.SERVER,
  client: ApiKind.CLIENT,
  consumer: ApiKind.CONSUMER,
};

interface SpanOrigin {
  resource: Resource;
  version: string;
  /** `tracestate` of W3C Trace Context. */
  traceState?: TraceState;
}

/** A span of something that is over, as OpenTelemetry's exporters take it. */
export function readableSpan(span: PastSpan, { resource, version, traceState }: SpanOrigin): ReadableSpan {
  const [startTime, endTime] = [millisToHrTime(span.startedAt.getTime()), millisToHrTime(span.endedAt.getTime())];
  const spanContextOf = (spanId: string) => ({
    traceId: span.traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    ...(traceState ? { traceState } : {}),
  });
  return {
    name: span.name,
    kind: apiKinds[span.kind],
    spanContext: () => spanContextOf(span.spanId),
    ...(span.parentSpanId === null ? {} : { parentSpanContext: spanContextOf(span.parentSpanId) }),
    startTime,
    endTime,
    duration: hrTimeDuration(startTime, endTime),
    status: span.error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: span.error },
    attributes: definedAttributes(span.attributes),
    links: [] as Link[],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'slipway', version, schemaUrl },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Attributes without those that are absent. */
export function definedAttributes(attributes: SpanAttributes): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, string] => entry[1] !== null && entry[1] !== undefined,
    ),
  );
}
