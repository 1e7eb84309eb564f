import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Metrics of one process, as `Registry.getMetricsAsJSON` gives them. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** A background task that is woken by its name. */
export type WakenTask = 'notifications';

/** What a server process tells its supervisor. */
export type ToSupervisor =
  /** It answers requests. */
  | { type: 'ready' }
  /** There may be work for the others: for the background task named, or for all that wake and subscriptions. */
  | { type: 'wake'; task?: WakenTask }
  /** Wants the metrics of all processes. */
  | { type: 'collect-metrics'; id: number }
  /** Its own metrics, in reply to `read-metrics`. */
  | { type: 'metrics'; collection: number; metrics: ProcessMetrics };

/** What a supervisor tells a server process. */
export type ToServerProcess =
  | { type: 'stop' }
  | { type: 'wake'; task?: WakenTask }
  /** Shall send its own metrics. */
  | { type: 'read-metrics'; collection: number }
  /** The metrics of all processes that answered in time. */
  | { type: 'metrics-of-all'; id: number; all: ProcessMetrics[] };

/** Variable of the environment in which the supervisor tells a process what it is; users never set it. */
export const processVariable = 'SLIPWAY_SERVER_PROCESS';

/** What a process is among the processes of one server. */
export interface ProcessRole {
  /** Counted from 1; a process that takes the place of another one has its number. */
  number: number;
  /** Whether it does the background work of all. */
  background: boolean;
  /** Whether it applies the provisioning file before it listens. */
  provisions: boolean;
  /** The socket, of the supervisor, that a service manager listens on; absent where there is none. */
  socket?: number;
}

/** How long the metrics of the other processes are waited for, in milliseconds. */
export const metricsPatienceMs = 2_000;
