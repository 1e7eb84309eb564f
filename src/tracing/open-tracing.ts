import {
  context,
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind as ApiKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Problem } from '../domain/problem.js';
import type { Sampler as SamplerSetting, TracingSettings } from './settings.js';
import { apiKinds, definedAttributes, readableSpan, schemaUrl } from './readable-span.js';
import type { PastSpan, SpanFacts, Tracer } from './tracing.js';

/** Spans that wait to be sent; more of them are lost, so that a collector that is away costs no memory. */
const spansWaiting = 4_096;
const spansAtOnce = 512;
const sendEveryMs = 2_000;
const sendWithinMs = 10_000;
const warnEveryMs = 60_000;

interface Log {
  warn(fields: object, message: string): void;
}

export interface OpenTracing {
  tracer: Tracer;
  /** Sends what waits, for two seconds at most, and ends. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens OpenTelemetry's SDK with the exporter that the settings name; it reads addresses, headers, certificates and
 * names from the environment itself. Failures of the exporter are logged, once a
 * minute at most, and disturb nothing.
 */
export async function openTracing(
  settings: TracingSettings,
  { log, version }: { log: Log; version: string },
): Promise<OpenTracing> {
  const warn = warnSeldom(log);
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, { logLevel: DiagLogLevel.WARN });
  setGlobalErrorHandler((error: unknown) => warn(String(error instanceof Error ? error.message : error)));
  const exporter = new OutspokenExporter(
    settings.protocol === 'http/json'
      ? new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter()
      : new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(),
    warn,
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'slipway', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
  const sampler = samplerOf(settings.sampler);
  const provider = new TracerProvider({
    resource,
    sampler,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: spansWaiting,
        maxExportBatchSize: spansAtOnce,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendWithinMs,
      }),
    ],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  const propagator = new W3CTraceContextPropagator();
  const spans = provider.getTracer('slipway', version, { schemaUrl });

  const toReadable = (span: PastSpan) => readableSpan(span, { resource, version });
  const isSampled = (span: PastSpan) =>
    sampler.shouldSample(callerOf(span), span.traceId, span.name, apiKinds[span.kind], {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;
  const sendSome = (some: readonly PastSpan[]) =>
    new Promise<void>((resolve) => exporter.export(some.map(toReadable), () => resolve()));

  return {
    tracer: {
      run: (facts, work) =>
        spans.startActiveSpan(facts.name, optionsOf(facts), async (span) => {
          try {
            return await work();
          } catch (error) {
            noteError(span, error);
            throw error;
          } finally {
            span.end();
          }
        }),
      isActive: () => trace.getActiveSpan()?.isRecording() ?? false,
      request: (headers, handle) => {
        const parent = extract(propagator, headers);
        const span = spans.startSpan('request', { kind: ApiKind.SERVER }, parent);
        const end = ({ name, attributes, isError }: Parameters<Parameters<typeof handle>[0]['end']>[0]) => {
          span.updateName(name);
          span.setAttributes(definedAttributes(attributes));
          if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        };
        const { traceId } = span.spanContext();
        context.with(trace.setSpan(parent, span), () => handle({ traceId, end }));
      },
      send: async (past) => {
        const sampled = past.filter(isSampled);
        for (let start = 0; start < sampled.length; start += spansAtOnce)
          await sendSome(sampled.slice(start, start + spansAtOnce));
      },
    },
    close: async () => {
      const timeIsUp = new Promise<void>((resolve) => setTimeout(resolve, 2_000).unref());
      await Promise.race([provider.shutdown().catch(ignore), timeIsUp]);
      context.disable();
      diag.disable();
    },
  };
}

/** What samplers that go by the parent ask: the caller's decision for all spans of its trace. */
function callerOf({ traceId, spanId, parentSpanId, isSampledByCaller }: PastSpan): Context {
  if (isSampledByCaller === null) return ROOT_CONTEXT;
  const traceFlags = isSampledByCaller ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentSpanId ?? spanId, traceFlags, isRemote: true });
}

/** Tells of every failure, also of those that the SDK keeps to itself while it ends. */
class OutspokenExporter implements SpanExporter {
  constructor(
    private readonly inner: SpanExporter,
    private readonly warn: (message: string) => void,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.inner.export(spans, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) this.warn(result.error?.message ?? 'the collector refused them');
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.inner.forceFlush?.();
  }
}

function extract(propagator: W3CTraceContextPropagator, headers: Record<string, unknown>): Context {
  return propagator.extract(ROOT_CONTEXT, headers, {
    keys: (carrier: Record<string, unknown>) => Object.keys(carrier),
    get: (carrier: Record<string, unknown>, key: string) => carrier[key] as string | undefined,
  });
}

const optionsOf = ({ kind = 'internal', attributes = {} }: SpanFacts) => ({
  kind: apiKinds[kind],
  attributes: definedAttributes(attributes),
});

/** A refusal of what a caller wants is no error of the server. */
function noteError(span: Span, error: unknown): void {
  if (error instanceof Problem) {
    span.setAttribute('error.type', error.code);
    return;
  }
  span.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function samplerOf({ name, ratio }: SamplerSetting): Sampler {
  const root = rootSamplerOf(name, ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function rootSamplerOf(name: SamplerSetting['name'], ratio: number): Sampler {
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  return name.endsWith('always_on') ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Logs a complaint of the SDK, and the number of those since the last one that was logged. */
function warnSeldom(log: Log): (message: string) => void {
  let next = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (message) => {
    if (performance.now() < next) {
      unsaid += 1;
      return;
    }
    next = performance.now() + warnEveryMs;
    log.warn({ reason: String(message).slice(0, 500), unsaid }, 'traces could not be sent');
    unsaid = 0;
  };
}

function ignore(): void {}
