import type { Request, RequestHandler } from 'express';
import { sql } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Services } from '../context.js';

export interface Metrics {
  /** Notes how long a request took, by method, route template and status: never by its path, which may hold secrets. */
  observe(request: Request, status: number, seconds: number): void;
  /** `GET /metrics` in the Prometheus text format. */
  handler: RequestHandler;
}

const countsLiveFor = 5_000;

/** The metrics of one server; a registry of its own, so that two servers in one process do not mix. */
export function createMetrics(services: Services): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'slipway_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  unfinishedCounts(services, registry);
  return {
    observe: (request, status, seconds) => durations.observe({ method: request.method, route: routeTemplate(request), status }, seconds),
    handler: async (_request, response) => {
      response.set('Content-Type', registry.contentType).send(await registry.metrics());
    },
  };
}

/** The template of the route that answered, such as `/v2/organizations/:organization`; `unmatched` when none did. */
export function routeTemplate(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  if (typeof route?.path !== 'string') return request.baseUrl === '' ? 'unmatched' : request.baseUrl;
  return `${request.baseUrl}${route.path}`;
}

/** Builds and jobs under way: counted over partial indexes that hold unfinished rows only, at most every 5 seconds. */
function unfinishedCounts(services: Services, registry: Registry): void {
  let counted: Promise<Counts> | null = null;
  let countedAt = 0;
  const counts = () => {
    if (!counted || Date.now() - countedAt > countsLiveFor) {
      countedAt = Date.now();
      counted = countUnfinished(services);
    }
    return counted;
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
    .where('state', 'in', ['creating', 'scheduled', 'running', 'failing', 'blocked', 'canceling'])
    .groupBy('state')
    .execute();
  const jobs = await db
    .selectFrom('jobs')
    .select(['state', count])
    .where('type', 'in', ['command', 'trigger'])
    .where('state', 'in', ['pending', 'waiting', 'blocked', 'unblocked', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out'])
    .groupBy('state')
    .execute();
  return { builds, jobs };
}
