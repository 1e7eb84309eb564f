import { Gauge, Registry } from 'prom-client';
import type { Insight } from '../../domain/builds/insights/insight.js';
import type { Context } from '../../request/context.js';
import type { Exchange } from '../route.js';
import { sendReply } from './send-reply.js';

/** Gauges with one value of each row. */
const gauges: readonly [name: string, help: string, value: (insight: Insight) => number | null][] = [
  ['builds', 'Builds that were created in the time and have ended', ({ builds }) => builds],
  ['failed_builds', 'Those of them that failed', ({ failed }) => failed],
  ['retried_jobs', 'Jobs of these builds that were run again', ({ retried }) => retried],
  ['agent_seconds', 'Seconds for which agents ran jobs of these builds', ({ agentSeconds }) => agentSeconds],
  ['cost', 'What these seconds cost at the present prices of queues', ({ cost }) => cost],
  ['log_bytes', 'Bytes of the logs of these jobs, those that have been deleted aside', ({ logBytes }) => logBytes],
  ['artifact_bytes', 'Bytes of the artifacts of these jobs that came to the storage', (row) => row.artifactBytes],
  ['agents_connected_seconds', 'Seconds for which agents were connected', (row) => row.agentsConnectedSeconds],
  ['agents_busy_share', 'Part of these seconds for which they held a job', ({ agentsBusyShare }) => agentsBusyShare],
];

/** Gauges with a value for each quantile of each row. */
const quantileGauges: readonly [name: string, help: string, values: (insight: Insight) => [number, number | null][]][] =
  [
    [
      'duration_seconds',
      'Seconds that builds took; by queue or step, those of jobs',
      ({ durationP50, durationP90, durationP95 }) => [
        [0.5, durationP50],
        [0.9, durationP90],
        [0.95, durationP95],
      ],
    ],
    [
      'wait_seconds',
      'Seconds for which jobs waited for an agent',
      ({ waitP50, waitP90, waitP95 }) => [
        [0.5, waitP50],
        [0.9, waitP90],
        [0.95, waitP95],
      ],
    ],
  ];

/**
 * Sends figures in the text format of Prometheus, each row under a label called as what rows are by. A figure that
 * nothing has a value of is absent.
 */
export async function sendInsightMetrics(
  _context: Context,
  insights: readonly Insight[],
  { response, restRequest }: Exchange,
): Promise<void> {
  const registry = new Registry();
  const subject = restRequest.text('by') ?? 'pipeline';
  const gaugeOf = (name: string, help: string, labels: string[]) =>
    new Gauge({ name: `slipway_insight_${name}`, help, labelNames: labels, registers: [registry] });
  for (const [name, help, valueOf] of gauges) {
    const gauge = gaugeOf(name, help, [subject]);
    for (const insight of insights) {
      const value = valueOf(insight);
      if (value !== null) gauge.set({ [subject]: insight.key }, value);
    }
  }
  for (const [name, help, valuesOf] of quantileGauges) {
    const gauge = gaugeOf(name, help, [subject, 'quantile']);
    for (const insight of insights)
      for (const [quantile, value] of valuesOf(insight))
        if (value !== null) gauge.set({ [subject]: insight.key, quantile }, value);
  }
  sendReply(response, { status: 200, body: await registry.metrics() }, registry.contentType);
}
