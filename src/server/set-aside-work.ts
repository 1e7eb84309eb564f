import { Gauge, type Registry } from 'prom-client';
import { countSetAside } from '../background/work/set-aside.js';
import { inLane } from '../database/lanes.js';
import { within } from '../http/within.js';
import type { Services } from '../services/services.js';
import { sharedFor } from './shared-for.js';

const countsLiveFor = 1_000;
const countWithinMs = 2_000;

/**
 * Units of background work that are set aside, by task; null if the database does not say in time. Any number of
 * callers share one query a second.
 */
export function setAsideCounts(services: Services): () => Promise<ReadonlyMap<string, number> | null> {
  const count = sharedFor(countsLiveFor, () => inLane('health', () => countSetAside(services)));
  return () =>
    within(count(), countWithinMs).catch((error: unknown) => {
      services.log.warn({ err: error }, 'could not count what is set aside');
      return null;
    });
}

/**
 * The gauge of {@link setAsideCounts}: 0 without a task where nothing is, so that an alarm has something to look at.
 */
export function setAsideGauge(services: Services, registry: Registry): void {
  const counts = setAsideCounts(services);
  new Gauge({
    name: 'slipway_background_set_aside',
    help:
      'Units of background work that are not begun any more because the process ended twice while they were ' +
      'under way (slipway set-aside)',
    labelNames: ['task'],
    registers: [registry],
    async collect() {
      const byTask = await counts();
      this.reset();
      if (byTask?.size === 0) this.set({ task: '' }, 0);
      for (const [task, units] of byTask ?? []) this.set({ task }, units);
    },
  });
}
