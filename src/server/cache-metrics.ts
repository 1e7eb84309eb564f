import { boundedTables, tableBytes } from '../background/retention/bound-tables.js';
import { inLane } from '../database/lanes.js';
import { within } from '../http/within.js';
import { addGauge } from './collected-metric.js';
import { sharedFor } from './shared-for.js';
import { Counter, Gauge, type Registry } from 'prom-client';
import { useOfDefinitions } from '../engine/new-builds/parse-definition.js';
import { MemoryUses, type MemoryUse } from '../services/memory-uses.js';
import type { FragmentCache } from '../response-cache/fragment-cache.js';
import type { Services } from '../services/services.js';

/** Metrics of what is kept in memory. */
export function keptMetrics(services: Services, registry: Registry): void {
  keptMemory(services, registry);
  if (!services.fragmentCache) return;
  fragmentCounts(services.fragmentCache, registry);
  responseCounts(services.fragmentCache, registry);
}

/** Metrics of the fragment cache. */
function fragmentCounts(parts: FragmentCache, registry: Registry): void {
  addGauge(registry, 'slipway_kept_parts', 'Parts of replies in memory', () => parts.use().parts);
  addGauge(registry, 'slipway_kept_parts_bytes', 'Bytes of the parts of replies in memory', () => parts.use().bytes);
  new Counter({
    name: 'slipway_kept_parts_total',
    help: 'Parts of replies: taken from memory (hits), made and kept (misses), or made and not to be kept (unkept)',
    labelNames: ['part', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [part, counts] of parts.use().counts)
        for (const [outcome, count] of Object.entries(counts)) this.inc({ part, outcome }, Number(count));
    },
  });
}

/** Memories whose entries callers choose: what they hold, and their budgets. */
function keptMemory(services: Services, registry: Registry): void {
  const { fragmentCache } = services;
  const memories = MemoryUses.of(services);
  memories.add('definitions', useOfDefinitions);
  if (fragmentCache) {
    memories.add('parts', () => fragmentCache.use());
    memories.add('replies', () => fragmentCache.responses.use());
  }
  const gauge = (name: string, help: string, value: (use: MemoryUse) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        for (const [kind, use] of memories.all()) this.set({ kind }, value(use));
      },
    });
  gauge('slipway_kept_bytes', 'Bytes of what is kept in memory, estimated, by kind', ({ bytes }) => bytes);
  gauge('slipway_kept_budget_bytes', 'Bytes that may be kept in memory, by kind', ({ budget }) => budget);
}

/** Replies that are kept whole in memory. */
function responseCounts({ responses }: FragmentCache, registry: Registry): void {
  addGauge(
    registry,
    'slipway_kept_replies_bytes',
    'Bytes of the replies that are kept whole in memory',
    () => responses.use().bytes,
  );
  new Counter({
    name: 'slipway_kept_replies_total',
    help:
      'Replies: given from memory (hits), found out of date (changed), kept, or not to be kept though asked ' +
      'for again (unkept)',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(responses.counts)) this.inc({ outcome }, Number(count));
    },
  });
}

const sizesLiveFor = 10_000;
const sizesWithinMs = 2_000;

/** Gauge of the tables in which large values are kept for a while, which costs no look into them. */
export function keptTables(services: Services, registry: Registry): void {
  const sizes = sharedFor(sizesLiveFor, () =>
    inLane('background', () =>
      Promise.all(boundedTables.map(async ({ table }) => ({ table, bytes: await tableBytes(services.db, table) }))),
    ),
  );
  new Gauge({
    name: 'slipway_kept_table_bytes',
    help: 'Bytes on disk of tables in which large values are kept for a while',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      this.reset();
      try {
        for (const { table, bytes } of await within(sizes(), sizesWithinMs)) this.set({ table }, bytes);
      } catch (error) {
        services.log.warn({ err: error }, 'metrics: could not ask for the sizes of tables');
      }
    },
  });
}
