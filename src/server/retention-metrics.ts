import { Gauge, type Registry } from 'prom-client';
import { retentionKinds, sumsByKind } from '../domain/retention/pass.js';
import type { Services } from '../services/services.js';
import { addGauge } from './collected-metric.js';

/** What retention deleted in its last whole pass, of any process. */
export function retentionMetrics(services: Services, registry: Registry): void {
  const gauge = (name: string, help: string, value: (sum: { rows: number; bytes: number }) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        this.reset();
        const report = services.retentionReport;
        const sums = report ? sumsByKind(report.gone) : {};
        for (const kind of report ? retentionKinds : []) this.set({ kind }, value(sums[kind] ?? { rows: 0, bytes: 0 }));
      },
    });
  gauge('slipway_retention_rows', 'Rows that the last whole pass of retention deleted', ({ rows }) => rows);
  gauge(
    'slipway_retention_bytes',
    'Bytes in the storage that the last whole pass of retention deleted',
    ({ bytes }) => bytes,
  );
  new Gauge({
    name: 'slipway_retention_build_exports',
    help: 'Builds that the last whole pass of retention exported and deleted, or left until they are exported',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      const gone = services.retentionReport?.gone ?? [];
      for (const [outcome, count] of [
        ['exported', 'exports'],
        ['held', 'holds'],
      ] as const)
        this.set(
          { outcome },
          gone.reduce((sum, each) => sum + (each[count] ?? 0), 0),
        );
    },
  });
  addGauge(
    registry,
    'slipway_retention_pass_timestamp_seconds',
    'Time at which the last whole pass of retention ended, in seconds since 1970; 0 before the first',
    () => (services.retentionReport ? Date.parse(services.retentionReport.endedAt) / 1000 : 0),
  );
}
