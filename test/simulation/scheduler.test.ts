import { describeOnPostgres } from '../support/database.js';
import { World } from '../support/world.js';
import { Simulation } from './simulation.js';

/** `SIMULATION_SEED` runs one seed alone; `SIMULATION_SECONDS` goes on for longer, from the same first seed. */
const only = process.env['SIMULATION_SEED'];
const seconds = Number(process.env['SIMULATION_SECONDS'] ?? 12);
const stepsOfRun = 100;
const firstSeed = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);

/** Several calls at a time need several connections; one at a time is what the seeds of `seeds.ts` do. */
describeOnPostgres('random pipelines, agents and people, several calls at a time', () => {
  async function simulate(seed: number, atOnce: number): Promise<void> {
    // What a seed is checked against is all that its database holds.
    const world = await World.create();
    const simulation = new Simulation(world, seed, null, atOnce);
    try {
      await simulation.run(stepsOfRun);
    } catch (error) {
      throw new Error(
        `SIMULATION_SEED=${seed} after ${simulation.trace.length} steps (${simulation.trace.slice(-5).join(', ')}):\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        { cause: error },
      );
    } finally {
      await world.close();
    }
  }

  test.each([1, 5])(
    'break no promise, %i at once',
    async (atOnce) => {
      if (only !== undefined) return simulate(Number(only), atOnce);
      const deadline = Date.now() + seconds * 1000;
      let runs = 0;
      for (let seed = firstSeed; Date.now() < deadline; seed += 1, runs += 1) await simulate(seed, atOnce);
      expect(runs).toBeGreaterThan(0);
    },
    (seconds + 60) * 1000,
  );
});
