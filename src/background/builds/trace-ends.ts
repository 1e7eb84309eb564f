import { setTimeout as sleep } from 'node:timers/promises';
import { spansOf } from '../../channels/open-telemetry/spans-of-ends.js';
import { inLane } from '../../database/lanes.js';
import { Activity, type Ends } from '../../services/activity.js';
import type { Services } from '../../services/services.js';
import type { Tracer } from '../../tracing/tracing.js';

/** Pause between two reads, so that what ends in a moment is read together. */
const gapMs = 500;
const readAtOnce = 200;
/** Ids that wait to be read: beyond, what ends has no span. A build has at most some thousand jobs. */
const waitingAtMost = 20_000;

/**
 * Sends a span of each build and job that ends in this process to its tracer: after the commit, from the rows, and off
 * the way of whoever ended it. Spans are lost with the process. Returns a function that sends what waits and ends.
 */
export function traceEnds(services: Services, tracer: Tracer): () => Promise<void> {
  const waiting: Ends = { builds: [], jobs: [] };
  let running: Promise<void> | null = null;
  let stopping = false;
  const round = async () => {
    while (waiting.builds.length + waiting.jobs.length > 0) {
      if (!stopping) await sleep(gapMs, undefined, { ref: false });
      const ends = { builds: waiting.builds.splice(0, readAtOnce), jobs: waiting.jobs.splice(0, readAtOnce) };
      try {
        await tracer.send(await inLane('background', () => spansOf(services, ends)));
      } catch (error) {
        services.log.warn({ err: error, ...countsOf(ends) }, 'builds and jobs that ended could not be traced');
      }
    }
  };
  const activity = Activity.of(services);
  activity.onEnds = ({ builds, jobs }) => {
    if (waiting.builds.length + waiting.jobs.length > waitingAtMost) return;
    waiting.builds.push(...builds);
    waiting.jobs.push(...jobs);
    running ??= round().finally(() => (running = null));
  };
  return async () => {
    stopping = true;
    activity.onEnds = null;
    await running;
  };
}

const countsOf = ({ builds, jobs }: Ends) => ({ builds: builds.length, jobs: jobs.length });
