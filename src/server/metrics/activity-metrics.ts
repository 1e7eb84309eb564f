import { Counter, type Registry } from 'prom-client';
import { finishedBuildStates } from '../../domain/builds/build-state.js';
import { jobOutcomes } from '../../domain/builds/job-figures.js';
import { within } from '../../http/within.js';
import { Activity, deliveryKinds, deliveryOutcomes } from '../../services/activity.js';
import type { Services } from '../../services/services.js';
import { Durations, type DurationsByQueue, otherQueues } from '../../services/tallies.js';
import { addCounter } from '../collected-metric.js';
import { addHistogram, type LabelledDurations } from './counted-histogram.js';
import type { QueueReads } from './queue-figures.js';

const namesWithinMs = 2_000;

type Counts<Name extends string> = Iterable<{ labels: readonly string[]; count: number }> & { names?: Name };

/** Metrics of what this process has done ({@link Activity}); Prometheus adds up those of all processes. */
export function activityMetrics(services: Services, reads: QueueReads, registry: Registry): void {
  const activity = Activity.of(services);
  const counter = <Name extends string>(
    facts: { name: string; help: string; labelNames: Name[] },
    /** Series that are there from the start, so that the first of its kind is an increase. */
    zeros: readonly string[][],
    counts: () => Counts<Name>,
  ) =>
    new Counter({
      ...facts,
      registers: [registry],
      collect() {
        this.reset();
        const labelled = (labels: readonly string[]) =>
          Object.fromEntries(facts.labelNames.map((name, index) => [name, labels[index] ?? ''])) as Record<
            Name,
            string
          >;
        for (const labels of zeros) this.inc(labelled(labels), 0);
        for (const { labels, count } of counts()) this.inc(labelled(labels), count);
      },
    });
  counter(
    { name: 'slipway_builds_finished_total', help: 'Builds that ended, by state', labelNames: ['outcome'] },
    finishedBuildStates.map((state) => [state]),
    () => activity.builds.entries(),
  );
  counter(
    { name: 'slipway_jobs_finished_total', help: 'Command and trigger jobs that ended', labelNames: ['outcome'] },
    jobOutcomes.map((outcome) => [outcome]),
    () => activity.jobs.entries(),
  );
  counter(
    {
      name: 'slipway_deliveries_total',
      help: 'Attempts to deliver to receivers: delivered, to be tried again (retried), or given up (failed)',
      labelNames: ['kind', 'outcome'],
    },
    deliveryKinds.flatMap((kind) => deliveryOutcomes.map((outcome) => [kind, outcome])),
    () => activity.deliveries.entries(),
  );
  counter(
    {
      name: 'slipway_outbox_messages_total',
      help: 'Attempts to dispatch messages: delivered, to be tried again (retried), or set aside (failed)',
      labelNames: ['topic', 'outcome'],
    },
    [],
    () => activity.outbox.entries(),
  );
  addCounter(registry, 'slipway_agents_lost_total', 'Agents that were given up as lost', () => activity.lostAgents);
  addCounter(
    registry,
    'slipway_graphql_points_total',
    'Points that GraphQL operations of users have cost',
    () => activity.graphqlPoints,
  );
  addHistogram(
    registry,
    {
      name: 'slipway_dispatch_latency_seconds',
      help: 'Seconds from when a job and an agent for it both waited until the job was offered to the agent',
    },
    async () => [{ labels: {}, durations: activity.dispatchLatency }],
  );
  const byQueue = (name: string, help: string, durations: DurationsByQueue) =>
    addHistogram(registry, { name, help }, () => namedDurations(services, reads, durations));
  byQueue('slipway_job_wait_seconds', 'Seconds for which jobs waited for an agent', activity.jobWaits);
  byQueue('slipway_job_duration_seconds', 'Seconds for which jobs ran', activity.jobRuns);
}

/** Durations by the names of their queues. Those of queues that exist no more are forgotten. */
async function namedDurations(
  { log }: Services,
  reads: QueueReads,
  durations: DurationsByQueue,
): Promise<readonly LabelledDurations[]> {
  const nameOf = await within(reads.names(), namesWithinMs).catch((error: unknown) => {
    log.warn({ err: error }, 'metrics: could not read the names of queues');
    return null;
  });
  if (!nameOf) return [];
  const named = new Map<string, LabelledDurations>();
  for (const [queueId, ofQueue] of [...durations.entries()]) {
    const name = queueId === otherQueues ? { cluster: 'other', queue: 'other' } : nameOf(queueId);
    if (!name) {
      durations.forget(queueId);
      continue;
    }
    const key = JSON.stringify(name);
    const sum = named.get(key) ?? { labels: { ...name }, durations: new Durations(durations.bounds) };
    sum.durations.add(ofQueue);
    named.set(key, sum);
  }
  return [...named.values()];
}
