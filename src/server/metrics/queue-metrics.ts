import { Gauge, type Registry } from 'prom-client';
import { within } from '../../http/within.js';
import type { QueueCounts } from '../../resources/agents/queues/queue-counts.js';
import type { Services } from '../../services/services.js';
import { sharedFor } from '../shared-for.js';
import type { QueueFigures, QueueReads } from './queue-figures.js';

/** A scrape gives up after ten seconds by default: it shall have the rest of the metrics. */
const figuresWithinMs = 2_000;

/** Agents by what they do. */
const agentStates: Record<string, (counts: QueueCounts) => number> = {
  busy: ({ busy }) => busy,
  idle: ({ idle, paused, stopping }) => idle - paused - stopping,
  paused: ({ paused }) => paused,
  stopping: ({ stopping }) => stopping,
};

/** The figures of the field, by the last part of their names. */
const known: Record<string, { help: string; value: (counts: QueueCounts) => number }> = {
  scheduled_jobs_count: { help: 'Jobs that wait for an agent', value: ({ scheduled }) => scheduled },
  running_jobs_count: { help: 'Jobs that an agent holds', value: ({ running }) => running },
  waiting_jobs_count: { help: 'Jobs that wait for something else than an agent', value: ({ waiting }) => waiting },
  unfinished_jobs_count: {
    help: 'Jobs that have not ended',
    value: ({ scheduled, running, waiting }) => scheduled + running + waiting,
  },
  idle_agent_count: { help: 'Connected agents without a job', value: ({ idle }) => idle },
  busy_agent_count: { help: 'Connected agents with a job', value: ({ busy }) => busy },
  total_agent_count: { help: 'Connected agents', value: ({ idle, busy }) => idle + busy },
  busy_agent_percentage: {
    help: 'Percentage of the connected agents that have a job',
    value: ({ idle, busy }) => (busy === 0 ? 0 : (100 * busy) / (idle + busy)),
  },
};

/** Gauges of agents and jobs by queue, under the names of Slipway and those of buildkite-agent-metrics. */
export function queueMetrics({ log }: Pick<Services, 'log'>, reads: QueueReads, registry: Registry): void {
  // All gauges of a scrape share one read, and one warning where it fails.
  const figures = sharedFor(0, () =>
    within(reads.figures(), figuresWithinMs).catch((error: unknown) => {
      log.warn({ err: error }, 'metrics: could not count agents and jobs by queue');
      return [] as QueueFigures[];
    }),
  );
  const gauge = (
    facts: { name: string; help: string; labelNames: string[] },
    fill: (own: Gauge, rows: readonly QueueFigures[]) => void,
  ) =>
    new Gauge({
      ...facts,
      registers: [registry],
      async collect() {
        const rows = await figures();
        this.reset();
        fill(this, rows);
      },
    });
  gauge(
    {
      name: 'slipway_agents',
      help: 'Connected agents by queue and by what they do',
      labelNames: ['cluster', 'queue', 'state'],
    },
    (own, rows) => {
      for (const { name, ...counts } of rows)
        for (const [state, value] of Object.entries(agentStates)) own.inc({ ...name, state }, value(counts));
    },
  );
  for (const [name, { help, value }] of Object.entries(known)) {
    gauge(
      { name: `buildkite_queues_${name}`, help: `${help}, by queue`, labelNames: ['cluster', 'queue'] },
      (own, rows) => {
        for (const row of rows) own.inc({ ...row.name }, value(row));
      },
    );
    gauge({ name: `buildkite_total_${name}`, help: `${help}, by cluster`, labelNames: ['cluster'] }, (own, rows) => {
      for (const [cluster, counts] of totals(rows)) own.set({ cluster }, value(counts));
    });
  }
}

/** Sums of the queues of each cluster. */
function totals(figures: readonly QueueFigures[]): Map<string, QueueCounts> {
  const clusters = new Map<string, QueueCounts>();
  for (const { name, ...counts } of figures) {
    const sum = clusters.get(name.cluster);
    if (!sum) clusters.set(name.cluster, { ...counts });
    else for (const key of Object.keys(counts) as (keyof QueueCounts)[]) sum[key] += counts[key];
  }
  return clusters;
}
