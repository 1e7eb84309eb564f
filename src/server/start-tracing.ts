import type { Logger, Services } from '../services/services.js';
import type { TracingSettings } from '../tracing/settings.js';
import { setTracer } from '../tracing/tracing.js';
import { buildInfo } from './build-info.js';

export interface Tracing {
  /** Has builds and jobs that end in this process traced, too. Returns a function that ends it. */
  ofEnds(services: Services): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Sends the traces of this process where the settings say. Loads OpenTelemetry's SDK, which nothing else does. */
export async function startTracing(settings: TracingSettings, log: Logger): Promise<Tracing> {
  const { openTracing } = await import('../tracing/open-tracing.js');
  const { tracer, close } = await openTracing(settings, { log, version: buildInfo().version });
  setTracer(tracer);
  return {
    ofEnds: async (services) => (await import('../background/builds/trace-ends.js')).traceEnds(services, tracer),
    close: async () => {
      setTracer(null);
      await close();
    },
  };
}
