import type { Registry } from 'prom-client';
import {
  metricsPatienceMs,
  type ProcessMetrics,
  type ProcessRole,
  processVariable,
  type ToServerProcess,
  type ToSupervisor,
  type WakenTask,
} from './messages.js';

/** The other processes of the server, as one of them knows them. */
export interface ServerProcesses {
  readonly role: ProcessRole;
  /** Aborted when the supervisor says so, or has gone. */
  readonly stopped: AbortSignal;
  /** Tells the supervisor that this process answers requests. */
  ready(): void;
  /** Tells the others that there may be work for a background task, or for all that wake and for subscriptions. */
  wake(task?: WakenTask): void;
  /** Called when another process has said that. */
  onWake(listener: (task?: WakenTask) => void): void;
  /**
   * The metrics of all processes added up, in the Prometheus text format; of this one where the others cannot be asked.
   */
  metrics(own: Registry): Promise<string>;
  /** Gives the others what they collect of this process. */
  onMetrics(own: Registry): void;
  /** Lets go of the supervisor, which would keep a process alive that could not start. */
  leave(): void;
}

/** What this process is among the processes that a supervisor has started; null for a server of one process. */
export function joinServerProcesses(): ServerProcesses | null {
  const role = process.env[processVariable];
  if (role === undefined || !process.send) return null;
  return new Member(JSON.parse(role) as ProcessRole);
}

class Member implements ServerProcesses {
  private readonly stop = new AbortController();
  readonly stopped = this.stop.signal;
  private wakeListener: (task?: WakenTask) => void = () => undefined;
  private own: Registry | null = null;
  private nextCollection = 1;
  private readonly collections = new Map<number, (all: ProcessMetrics[]) => void>();
  /** Wakes that are to be told. */
  private readonly wakes = new Set<WakenTask | undefined>();

  constructor(readonly role: ProcessRole) {
    process.on('message', (message: ToServerProcess) => this.hear(message));
    process.on('disconnect', () => this.stop.abort());
  }

  ready(): void {
    tell({ type: 'ready' });
  }

  leave(): void {
    if (process.connected) process.disconnect();
  }

  wake(task?: WakenTask): void {
    // Commits of one moment wake the others once.
    if (this.wakes.has(task)) return;
    this.wakes.add(task);
    setImmediate(() => {
      this.wakes.delete(task);
      tell({ type: 'wake', ...(task && { task }) });
    });
  }

  onWake(listener: (task?: WakenTask) => void): void {
    this.wakeListener = listener;
  }

  onMetrics(own: Registry): void {
    this.own = own;
  }

  async metrics(own: Registry): Promise<string> {
    const all = await this.collect();
    if (all.length === 0) return own.metrics();
    const { AggregatorRegistry } = await import('prom-client');
    return AggregatorRegistry.aggregate(all).metrics();
  }

  private collect(): Promise<ProcessMetrics[]> {
    const id = (this.nextCollection += 1);
    return new Promise((resolve) => {
      const settle = (all: ProcessMetrics[]) => {
        clearTimeout(timer);
        this.collections.delete(id);
        resolve(all);
      };
      const timer = setTimeout(() => settle([]), metricsPatienceMs + 500);
      this.collections.set(id, settle);
      tell({ type: 'collect-metrics', id });
    });
  }

  private hear(message: ToServerProcess): void {
    switch (message.type) {
      case 'stop':
        return this.stop.abort();
      case 'wake':
        return this.wakeListener(message.task);
      case 'read-metrics':
        return void this.sendMetrics(message.collection);
      case 'metrics-of-all':
        return this.collections.get(message.id)?.(message.all);
    }
  }

  private async sendMetrics(collection: number): Promise<void> {
    // A process whose own metrics fail must not hold up the metrics of the others.
    const metrics = ((await this.own?.getMetricsAsJSON().catch(() => [])) ?? []) as ProcessMetrics;
    tell({ type: 'metrics', collection, metrics });
  }
}

function tell(message: ToSupervisor): void {
  // A supervisor that has gone is noticed by `disconnect`.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}
