import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds a gauge whose value is read when the metrics are asked for. */
export function addGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

/** Adds a counter whose sum is counted elsewhere and read when the metrics are asked for. */
export function addCounter(registry: Registry, name: string, help: string, value: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(value());
    },
  });
}
