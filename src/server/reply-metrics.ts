import type { Registry } from 'prom-client';
import { readMemoryOf } from '../database/read-memory.js';
import { bodyBudget } from '../http/body-budget.js';
import { slowReaders } from '../http/slow-readers.js';
import { unsentBytes } from '../http/unsent-bytes.js';
import type { Services } from '../services/services.js';
import { addCounter, addGauge } from './collected-metric.js';

/**
 * Bytes that requests hold while their replies are made and sent; requests that were refused, waited or were cut short.
 */
export function replyMetrics(services: Services, registry: Registry): void {
  const memory = readMemoryOf(services);
  addGauge(
    registry,
    'slipway_reply_bytes_in_flight',
    'Bytes that requests have read for large replies',
    () => memory.used,
  );
  addGauge(registry, 'slipway_reply_reads_waiting', 'Reads of large replies that wait for room', () => memory.waiting);
  addCounter(
    registry,
    'slipway_reply_reads_waited_total',
    'Reads of large replies that waited for room',
    () => memory.counts.waits,
  );
  addCounter(
    registry,
    'slipway_replies_too_large_total',
    'Requests that wanted to read too much',
    () => memory.counts.refused,
  );
  addGauge(registry, 'slipway_request_body_bytes', 'Bytes of large request bodies in flight', () => bodyBudget.held);
  addCounter(
    registry,
    'slipway_request_bodies_refused_total',
    'Large request bodies without room',
    () => bodyBudget.refused,
  );
  addGauge(
    registry,
    'slipway_unsent_reply_bytes',
    'Bytes of large replies that are not sent yet',
    () => unsentBytes.bytes,
  );
  addGauge(
    registry,
    'slipway_unsent_replies_waiting',
    'Large replies that wait for others to be read',
    () => unsentBytes.waiting,
  );
  addGauge(registry, 'slipway_unsent_connection_bytes', 'Bytes that wait in connections', () => slowReaders.unsent);
  addCounter(
    registry,
    'slipway_slow_readers_total',
    'Clients that were disconnected because they read too slowly',
    () => slowReaders.cut + unsentBytes.evicted,
  );
}
