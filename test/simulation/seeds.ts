import { appendFileSync } from 'node:fs';
import { Simulation } from './simulation.js';
import { SimulatedInstallation } from './simulated/installation.js';
import { testUnless } from '../support/skips.js';

/**
 * `SIMULATION_SEED` runs one seed alone; `SIMULATION_SEEDS` says how many there are, from `SIMULATION_FIRST_SEED` on:
 * few by default, hundreds in a step of CI. `SIMULATION_SECONDS` is the time after which a file begins no further one
 * and says how many it ran, for a run that may not take longer than it is given.
 */
const only = process.env['SIMULATION_SEED'];
const count = Number(process.env['SIMULATION_SEEDS'] ?? 4);
const first = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const seconds = Number(process.env['SIMULATION_SECONDS'] ?? Infinity);
/** What a file runs whatever the time: a machine that is late tries some of its seeds too. */
const leastSeeds = 20;
const stepsOfRun = 70;
/** Many times what a seed takes on an idle machine: a limit for one that hangs. */
const secondsOfSeed = 20;

let installation: SimulatedInstallation | null = null;

/** One seed in an installation without a trace of the seeds before; an error names the command that runs it again. */
export async function simulate(seed: number): Promise<Simulation> {
  const own = (installation ??= await SimulatedInstallation.create());
  await own.begin();
  const simulation = new Simulation(own.world, seed, own.faults, 1, () => own.restart());
  try {
    await simulation.run(stepsOfRun);
    return simulation;
  } catch (error) {
    // Calls of this seed may be under way.
    installation = null;
    const report = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(
      `SIMULATION_SEED=${seed} npm test -- test/simulation/seeds-1 fails after ${simulation.trace.length} steps (${simulation.trace.slice(-5).join(', ')}):\n${report}`,
      { cause: error },
    );
  }
}

/**
 * As {@link simulate}; in CI a seed that failed is run once more by itself, and is named where other tests that passed
 * at their second attempt are named (`test/support/retried-tests.ts`).
 */
async function simulateInShard(seed: number): Promise<Simulation> {
  if (!process.env['CI']) return simulate(seed);
  try {
    return await simulate(seed);
  } catch (error) {
    const again = await simulate(seed);
    const line = `RETRIED test/simulation/seeds: ${(error instanceof Error ? error.message : String(error)).slice(0, 1500)}\n`;
    process.stdout.write(line);
    if (process.env['RETRIED_TESTS']) appendFileSync(process.env['RETRIED_TESTS'], line);
    return again;
  }
}

/** Ends what {@link simulate} had open. */
export async function endSimulation(): Promise<void> {
  await installation?.close();
  installation = null;
}

/** The tests of one file out of several, which the workers of the test runner share. */
export function simulateShard(shard: number, shards: number): void {
  const seeds =
    only === undefined
      ? Array.from({ length: count }, (_, index) => first + index).filter((seed) => seed % shards === shard % shards)
      : [Number(only)].filter(() => shard === 1);
  const times = seeds.length === 1 ? `seed ${seeds[0]}` : `${seeds.length} seeds`;
  // With an environment that says PostgreSQL the seeds would run there, where their faults cannot reach.
  const reason =
    process.env['TEST_DATABASE_URL'] === undefined
      ? null
      : 'TEST_DATABASE_URL is set, and the seeds run on the embedded database';
  afterAll(endSimulation);
  testUnless(
    reason,
    `random pipelines, agents, people and faults break no promise: ${times}, part ${shard}`,
    async () => {
      const until = Date.now() + seconds * 1000;
      let crashes = 0;
      let done = 0;
      for (const seed of seeds) {
        if (done >= leastSeeds && Date.now() > until) break;
        crashes += (await simulateInShard(seed)).around.crashes;
        done += 1;
      }
      if (seeds.length >= 10) expect(crashes).toBeGreaterThan(0);
      if (seconds < Infinity) process.stdout.write(`simulation: part ${shard} ran ${done} of ${seeds.length} seeds\n`);
    },
    { timeout: 30_000 + seeds.length * secondsOfSeed * 1000, retry: 0 },
  );
}
