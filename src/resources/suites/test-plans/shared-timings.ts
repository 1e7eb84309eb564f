import { createHash } from 'node:crypto';
import type { Timing } from '../../../domain/suites/test-plans/test-plan.js';
import type { Services } from '../../../services/services.js';

type Timings = ReadonlyMap<string, Timing>;

/** What is computed now, by what was asked. */
const underWay = new WeakMap<Services, Map<string, Promise<Timings>>>();

/**
 * Computes timings once for all who ask for the same at a time: a hundred parallel jobs begin together. Who joined one
 * that fails, as where its first caller has left, computes them anew.
 */
export async function sharedTimings(
  services: Services,
  question: readonly (string | readonly string[])[],
  compute: () => Promise<Timings>,
): Promise<Timings> {
  const running = underWay.get(services) ?? new Map<string, Promise<Timings>>();
  underWay.set(services, running);
  const key = createHash('sha256').update(JSON.stringify(question)).digest('base64');
  const other = running.get(key);
  if (other) return other.catch(compute);
  const own = compute().finally(() => running.delete(key));
  running.set(key, own);
  return own;
}
