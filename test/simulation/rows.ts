import type { Db } from '../../src/entities/database.js';
import type { World } from '../support/world.js';
import { Simulation } from './simulation.js';
import { SimulatedInstallation } from './simulated/installation.js';

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Ends of pipeline slugs, which are of ids. */
const slugEnds = /(\d+)-[0-9a-f]{6}\b/g;
const hashes = /^[0-9a-f]{64}$/;
/** Given out by background tasks, whose rounds are not those of the product. */
const leftOut = ['position', 'requestId'];

/**
 * Plays a seed without faults and returns the rows of builds, jobs, agents and events that it leaves, one a line, with
 * ids replaced by numbers: two versions of the product that act alike leave the same lines.
 */
export async function rowsOfSeed(installation: SimulatedInstallation, seed: number, steps: number): Promise<string[]> {
  await installation.begin();
  const { world } = installation;
  const started = world.clock.now().getTime();
  await new Simulation(world, seed, null).run(steps);
  return [`seed ${seed}`, ...(await rowsOf(world, started))];
}

async function rowsOf({ services: { db } }: World, started: number): Promise<string[]> {
  const numbers = new Map<string, number>();
  const numbered = (text: string) =>
    text
      .replace(uuids, (id) => {
        const number = numbers.get(id) ?? numbers.size + 1;
        numbers.set(id, number);
        return `#${number}`;
      })
      .replace(slugEnds, '$1');
  const shown = (key: string, value: unknown): unknown => {
    if (leftOut.includes(key)) return undefined;
    if (typeof value !== 'string') return value;
    if (hashes.test(value)) return 'hash';
    const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : NaN;
    return Number.isNaN(time) ? numbered(value) : `${(time - started) / 1000} s`;
  };
  const lines: string[] = [];
  for (const table of ['builds', 'jobs', 'agents', 'events'] as const)
    for (const row of await inOrder(db, table)) lines.push(`${table} ${JSON.stringify(row, shown)}`);
  return lines;
}

function inOrder(db: Db, table: 'builds' | 'jobs' | 'agents' | 'events'): Promise<object[]> {
  const rows = db.selectFrom(table as 'events').selectAll();
  const sorted = table === 'events' ? rows.orderBy('buildId').orderBy('sequence') : rows;
  return sorted.orderBy('id').execute();
}
