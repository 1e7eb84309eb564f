/**
 * Ids of a build's trace, as W3C Trace Context has them: made of the ids that the build and its jobs have, or those of
 * the caller that created the build. Whoever collects spans of an agent finds them below the job, whether or not this
 * server exports any.
 */

/** A build, with the span of whoever created it, if that was named. */
export interface TracedBuild {
  buildId: string;
  traceparent: string | null;
}

/** A span of somebody else. */
interface SpanReference {
  traceId: string;
  spanId: string;
  flags: string;
}

/** Version, trace, span and flags; later versions may have more behind them. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const longest = 512;
const zeros = /^0+$/;

/**
 * The parts of a `traceparent` of W3C Trace Context; null for any other text, which by its specification is to be
 * ignored.
 */
export function readTraceparent(text: string): SpanReference | null {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    (text.length > longest ? null : form.exec(text)) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  return zeros.test(traceId) || zeros.test(spanId) ? null : { traceId, spanId, flags };
}

/** The variable by which a build's author names a span; it wins over the header of the request. */
const variable = 'TRACEPARENT';

/**
 * The span that a new build belongs below, in the 55 characters that are stored: of the author's variable, else of the
 * request. Null where neither names one.
 */
export function traceparentOfNewBuild(env: Record<string, unknown>, header: string | null | undefined): string | null {
  for (const text of [env[variable], header]) {
    const span = typeof text === 'string' ? readTraceparent(text) : null;
    if (span) return `00-${span.traceId}-${span.spanId}-${span.flags}`;
  }
  return null;
}

const callerOf = ({ traceparent }: TracedBuild) => (traceparent === null ? null : readTraceparent(traceparent));

/** Id of the trace of a build: that of its caller, else its own id without hyphens. */
export const traceIdOfBuild = (build: TracedBuild): string =>
  callerOf(build)?.traceId ?? build.buildId.replaceAll('-', '');

/** Id of the caller's span that the build's is below; null for the root of a trace. */
export const parentSpanOfBuild = (build: TracedBuild): string | null => callerOf(build)?.spanId ?? null;

/** Whether the caller of a build has its trace recorded; true where the trace is the build's own. */
export const isTraceSampled = (build: TracedBuild): boolean => (parseInt(callerOf(build)?.flags ?? '01', 16) & 1) === 1;

/** Id of the span of a job or, for the first end of a build, of the build: the last 8 bytes of its id. */
export const spanIdOf = (id: string): string => id.replaceAll('-', '').slice(16);

/** The span of a job as an agent is told of it: `traceparent` of W3C Trace Context. */
export const traceparentOfJob = ({ id, ...build }: { id: string } & TracedBuild): string =>
  `00-${traceIdOfBuild(build)}-${spanIdOf(id)}-${isTraceSampled(build) ? '01' : '00'}`;
