import type { Metric, MetricValue, Registry } from 'prom-client';
import type { Durations } from '../../services/tallies.js';

/** Durations with the labels under which they are shown. */
export interface LabelledDurations {
  labels: Record<string, string>;
  durations: Durations;
}

/**
 * Adds a histogram of durations that are counted elsewhere and read when the metrics are asked for, which the library's
 * own does not offer; of several processes it is the sum.
 */
export function addHistogram(
  registry: Registry,
  facts: { name: string; help: string },
  read: () => Promise<readonly LabelledDurations[]>,
): void {
  const described = { ...facts, type: 'histogram', aggregator: 'sum' };
  const metric = {
    ...described,
    get: async () => ({
      ...described,
      values: (await read()).flatMap((each) => valuesOf(facts.name, each)),
    }),
  };
  registry.registerMetric(metric as unknown as Metric);
}

function valuesOf(
  name: string,
  { labels, durations }: LabelledDurations,
): (MetricValue<string> & { metricName: string })[] {
  const { bounds, counts, sum } = durations;
  let count = 0;
  const buckets = [...bounds, '+Inf'].map((le, place) => {
    count += counts[place] ?? 0;
    return { labels: { ...labels, le: String(le) }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
