import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReadReplica } from '../../database/read-replica.js';

/** How far the read replica is behind, and where lists that may be a moment old were read; no figures without one. */
export function replicaMetrics(replica: ReadReplica | undefined, registry: Registry): void {
  new Gauge({
    name: 'slipway_read_replica_lag_seconds',
    help: 'Seconds by which the read replica is behind at most; since the start of the process if that is not known',
    registers: [registry],
    aggregator: 'max',
    collect() {
      if (replica) this.set(Math.min(replica.lagMs(), performance.now()) / 1000);
      else this.remove();
    },
  });
  new Gauge({
    name: 'slipway_read_replica_used',
    help: 'Whether lists are read on the read replica: 1, or 0; of several processes, how many do',
    registers: [registry],
    collect() {
      if (replica) this.set(replica.current() === 'ok' ? 1 : 0);
      else this.remove();
    },
  });
  new Counter({
    name: 'slipway_read_replica_reads_total',
    help: 'Statements for lists that may be a moment old, by where they were answered: on the replica, or the primary',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(replica?.counts ?? {})) this.inc({ server }, count);
    },
  });
}
