/**
 * Ids of a build's trace, as W3C Trace Context has them, made of the ids that the build and its jobs have: whoever
 * collects spans of an agent finds them below the job, whether or not this server exports any.
 */

/** Id of the trace of a build: its own id without hyphens. */
export const traceIdOfBuild = (buildId: string): string => buildId.replaceAll('-', '');

/** Id of the span of a job or, for the first end of a build, of the build: the last 8 bytes of its id. */
export const spanIdOf = (id: string): string => id.replaceAll('-', '').slice(16);

/** The span of a job as an agent is told of it: `traceparent` of W3C Trace Context. */
export const traceparentOfJob = ({ id, buildId }: { id: string; buildId: string }): string =>
  `00-${traceIdOfBuild(buildId)}-${spanIdOf(id)}-01`;
