import { Gauge, type Registry } from 'prom-client';
import { buildInfo } from '../build-info.js';

/** The gauge that says which build runs, by its labels; `unknown` for modules that no build has assembled. */
export function buildMetric(registry: Registry): void {
  const build = buildInfo();
  new Gauge({
    name: 'slipway_build_info',
    help: 'The build that runs: 1',
    labelNames: ['version', 'commit'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version: build?.version ?? 'unknown', commit: build?.commit ?? 'unknown' }, 1);
}
