import { countDeletions } from '../background/deletions/purge-deletions.js';
import { purgedResources } from '../entities/installation/deletion.js';
import { unfinishedBuildStates } from '../domain/builds/build-state.js';
import { unfinishedJobStates } from '../domain/builds/job-state.js';
import type { Request, RequestHandler, Response } from 'express';
import { routeTemplate } from '../http/request-fields.js';
import { sql } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DispatchCounts, Services } from '../services/services.js';
import { inLane } from '../database/lanes.js';
import { connectionUse } from '../database/open.js';
import { activityMetrics } from './metrics/activity-metrics.js';
import { buildMetric } from './metrics/build-metric.js';
import { lagMetrics, storageMetrics } from './metrics/installation-metrics.js';
import { queueReads } from './metrics/queue-figures.js';
import { queueMetrics } from './metrics/queue-metrics.js';
import { replicaMetrics } from './metrics/replica-metrics.js';
import { addCounter } from './collected-metric.js';
import { keptMetrics, keptTables } from './cache-metrics.js';
import { replyMetrics } from './reply-metrics.js';
import { retentionMetrics } from './retention-metrics.js';
import type { ServerProcesses } from './processes/member.js';
import { within } from '../http/within.js';
import { sharedFor } from './shared-for.js';
import { scheduledBackupGauges } from './scheduled-backups.js';
import { setAsideGauge } from './set-aside-work.js';
import { uncaughtErrors } from './last-resort.js';
import { outputOf } from './log-output.js';
import type { TaskCounts } from '../workers/task-counts.js';

export interface Metrics {
  /** Notes how long a request took, by method, route template and status: never by its path, which may hold secrets. */
  observe(request: Request, response: Response, seconds: number): void;
  /** `GET /metrics` in the Prometheus text format. */
  handler: RequestHandler;
}

const countsLiveFor = 5_000;
/** A few rows, which people look at while they wait for a deletion. */
const deletionsLiveFor = 1_000;
/** A scrape gives up after ten seconds by default: it shall have the rest of the metrics. */
const countWithinMs = 2_000;

/**
 * The metrics of one server; a registry of its own, so that two servers in one process do not mix. Of several processes
 * each replies with the metrics of all, added up.
 *
 * @param disk directory whose disk is watched: that of stored objects, or else of the embedded database
 */
export function createMetrics(services: Services, processes?: ServerProcesses, disk: string | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  buildMetric(registry);
  const durations = new Histogram({
    name: 'slipway_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const queues = queueReads(services);
  // What is true of the whole installation is counted once.
  if (processes?.role.background ?? true) {
    unfinishedCounts(services, registry);
    sweptStorage(services, registry);
    deletionGauges(services, registry);
    retentionMetrics(services, registry);
    setAsideGauge(services, registry);
    scheduledBackupGauges(services, registry);
    keptTables(services, registry);
    queueMetrics(services, queues, registry);
    lagMetrics(services, registry);
    storageMetrics(services, registry, disk);
  }
  activityMetrics(services, queues, registry);
  connectionGauges(services, registry);
  countUncaught(registry);
  lostLogLines(services, registry);
  workerCounts(services, registry);
  waitingAgents(services, registry);
  replyMetrics(services, registry);
  keptMetrics(services, registry);
  replicaMetrics(services.readReplica, registry);
  processes?.onMetrics(registry);
  return {
    observe: (request, response, seconds) => {
      const route = routeTemplate(request, response);
      durations.observe({ method: request.method, route, status: response.statusCode }, seconds);
    },
    handler: async (_request, response) => {
      response
        .set('Content-Type', registry.contentType)
        .send(await (processes?.metrics(registry) ?? registry.metrics()));
    },
  };
}

/** Errors that reached the process's last resort: every one is a defect. */
function countUncaught(registry: Registry): void {
  new Counter({
    name: 'slipway_uncaught_errors_total',
    help: 'Errors that no handler caught, by where they came from',
    labelNames: ['origin'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [origin, count] of Object.entries(uncaughtErrors)) this.inc({ origin }, count);
    },
  });
}

/** Lines of the log that could not be written (`log-output.ts`). */
function lostLogLines({ log }: Services, registry: Registry): void {
  const output = outputOf(log);
  new Gauge({
    name: 'slipway_log_stopped',
    help: 'Whether log lines cannot be written now: 1, or 0; of several processes, how many',
    registers: [registry],
    collect() {
      this.set(output?.stopped ? 1 : 0);
    },
  });
  new Counter({
    name: 'slipway_log_lines_lost_total',
    help: 'Log lines that could not be written',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(output?.lost ?? 0);
    },
  });
}

/**
 * Metrics of worker threads by task: waiting and running tasks, their outcomes, and the seconds that threads worked.
 */
function workerCounts({ workers }: Services, registry: Registry): void {
  const gauge = (name: string, help: string, value: (counts: TaskCounts) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['task'],
      registers: [registry],
      collect() {
        for (const [task, counts] of Object.entries(workers.counts())) this.set({ task }, value(counts));
      },
    });
  gauge('slipway_worker_tasks_waiting', 'Tasks that wait for a worker thread', ({ waiting }) => waiting);
  gauge('slipway_worker_tasks_running', 'Tasks that worker threads do', ({ running }) => running);
  new Gauge({
    name: 'slipway_worker_threads',
    help: 'Worker threads',
    registers: [registry],
    collect() {
      this.set(workers.threads());
    },
  });
  new Counter({
    name: 'slipway_worker_tasks_total',
    help:
      'Tasks that ended: in a thread (done), without one (small), by an error (failed), at a limit ' +
      '(timed_out, out_of_memory), or refused',
    labelNames: ['task', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [task, { ended }] of Object.entries(workers.counts()))
        for (const [outcome, count] of Object.entries(ended)) this.inc({ task, outcome }, count);
    },
  });
  new Counter({
    name: 'slipway_worker_seconds_total',
    help: 'Seconds of work in worker threads',
    labelNames: ['task'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [task, { seconds }] of Object.entries(workers.counts())) this.inc({ task }, seconds);
    },
  });
}

/** Agents that wait on streams of pings in this process, and what is done for them (`dispatch/`). */
function waitingAgents(services: Services, registry: Registry): void {
  const gauge = (name: string, help: string, value: (counts: DispatchCounts) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        if (services.dispatch) this.set(value(services.dispatch.counts()));
      },
    });
  gauge('slipway_agent_streams', 'Open streams of agent pings', ({ streams }) => streams);
  gauge('slipway_agent_reads_waiting', 'Agents that wait for the next shared read', ({ waitingReads }) => waitingReads);
  new Counter({
    name: 'slipway_agent_streams_ended_total',
    help: 'Streams of agent pings that ended, by reason',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(services.dispatch?.counts().ended ?? {}))
        this.inc({ reason }, count);
    },
  });
  const counter = (name: string, help: string, value: (counts: DispatchCounts) => number) =>
    addCounter(registry, name, help, () => (services.dispatch ? value(services.dispatch.counts()) : 0));
  counter(
    'slipway_dispatch_passes_total',
    'Passes over queues for agents that wait on streams',
    ({ passes }) => passes,
  );
  counter('slipway_dispatch_offers_total', 'Jobs offered to agents over streams', ({ offers }) => offers);
  counter('slipway_quiet_pings_total', 'Agent pings answered from a shared read', ({ quietPings }) => quietPings);
}

/** Connections of the database in use and waited for, by lane (`database/lanes.ts`). */
function connectionGauges(services: Services, registry: Registry): void {
  const states = ['used', 'waiting'] as const;
  new Gauge({
    name: 'slipway_database_connections',
    help: 'Database connections in use and requests waiting for one, by lane',
    labelNames: ['lane', 'state'],
    registers: [registry],
    collect() {
      for (const use of connectionUse(services.db))
        for (const state of states) this.set({ lane: use.lane, state }, use[state]);
    },
  });
  new Counter({
    name: 'slipway_database_connection_timeouts_total',
    help: 'Waits for a database connection that ended without one, by lane',
    labelNames: ['lane'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { lane, timedOut } of connectionUse(services.db)) this.inc({ lane }, timedOut);
    },
  });
}

/** Gauge of rows without bytes, as counted by the sweep of the storage. */
function sweptStorage(services: Services, registry: Registry): void {
  new Gauge({
    name: 'slipway_rows_without_bytes',
    help: 'Rows of logs and artifacts whose bytes are not in storage, as of the last whole sweep',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(services.storageSweep?.missing ?? {})) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'slipway_objects_without_row',
    help:
      'Stored objects of logs and artifacts that no row owns, as of the last whole sweep: moved into ' +
      'quarantine, or left alone because they may be those of another installation',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.reset();
      const report = services.storageSweep;
      if (!report) return;
      this.set({ state: 'quarantine' }, report.inQuarantine + report.quarantined);
      this.set({ state: 'unproven' }, report.unproven);
    },
  });
}

/** Gauges of what is deleted and not purged yet, counted at most every second. */
function deletionGauges(services: Services, registry: Registry): void {
  const count = sharedFor(deletionsLiveFor, () => inLane('background', () => countDeletions(services)));
  // Each gauge of a scrape is read by itself, at once: none may wait for another to fill it.
  const counts = sharedFor(0, () =>
    within(count(), countWithinMs).catch((error: unknown) => {
      services.log.warn({ err: error }, 'metrics: could not count deletions');
      return null;
    }),
  );
  const gauge = (name: string, help: string, figure: 'deletions' | 'remaining') =>
    new Gauge({
      name,
      help,
      labelNames: ['resource'],
      registers: [registry],
      async collect() {
        const rows = await counts();
        this.reset();
        for (const resource of rows ? purgedResources : [])
          this.set({ resource }, rows?.find((each) => each.resource === resource)?.[figure] ?? 0);
      },
    });
  gauge(
    'slipway_deletion_remaining',
    'Builds, suite runs and agents of deleted resources that are yet to be purged, by what was deleted',
    'remaining',
  );
  gauge('slipway_deletions', 'Deleted resources that are not purged yet', 'deletions');
}

/** Builds and jobs under way: counted over partial indexes that hold unfinished rows only, at most every 5 seconds. */
function unfinishedCounts(services: Services, registry: Registry): void {
  let counted: Promise<Counts> | null = null;
  let countedAt = 0;
  let counting = false;
  const counts = () => {
    // Concurrent scrapes share one query, so that a stalled database is queried once.
    if (!counted || (!counting && Date.now() - countedAt > countsLiveFor)) {
      countedAt = Date.now();
      counting = true;
      counted = inLane('background', () => countUnfinished(services)).finally(() => (counting = false));
    }
    return within(counted, countWithinMs);
  };
  const gauge = (name: 'builds' | 'jobs', help: string) =>
    new Gauge({
      name: `slipway_unfinished_${name}`,
      help,
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        try {
          const rows = (await counts())[name];
          this.reset();
          for (const { state, count } of rows) this.set({ state }, count);
        } catch (error) {
          // The process's own metrics are worth most when the database is in trouble.
          services.log.warn({ err: error }, 'metrics: could not count builds and jobs');
          this.reset();
        }
      },
    });
  gauge('builds', 'Builds that are not finished, by state');
  gauge('jobs', 'Command and trigger jobs that are not finished, by state');
}

interface StateCount {
  state: string;
  count: number;
}

interface Counts {
  builds: StateCount[];
  jobs: StateCount[];
}

async function countUnfinished({ db }: Services): Promise<Counts> {
  const count = sql<number>`count(*)::int`.as('count');
  const builds = await db
    .selectFrom('builds')
    .select(['state', count])
    .where('state', 'in', unfinishedBuildStates)
    .groupBy('state')
    .execute();
  const jobs = await db
    .selectFrom('jobs')
    .select(['state', count])
    .where('type', 'in', ['command', 'trigger'])
    .where('state', 'in', unfinishedJobStates)
    .groupBy('state')
    .execute();
  return { builds, jobs };
}
