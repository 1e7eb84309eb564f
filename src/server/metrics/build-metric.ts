import { Gauge, type Registry } from 'prom-client';
import { buildInfo } from '../build-info.js';

/** The gauge that says which build runs, by its labels; the commit is `unknown` where the build knew none. */
export function buildMetric(registry: Registry): void {
  const { version, commit } = buildInfo();
  new Gauge({
    name: 'slipway_build_info',
    help: 'The build that runs: 1',
    labelNames: ['version', 'commit'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version, commit: commit ?? 'unknown' }, 1);
}
