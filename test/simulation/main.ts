import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { rowsOfSeed } from './rows.js';
import { simulate } from './seeds.js';
import { SimulatedInstallation } from './simulated/installation.js';

/**
 * Runs seeds outside the test runner, for a long hunt: `npm run -s simulate -- --from 1 --seeds 500`. Prints each seed
 * that fails with what it broke, and ends with 1 if any did. `--rows FILE` plays the seeds without faults instead and
 * writes the rows that they leave to a file, to be compared with those of another version.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '100' },
    rows: { type: 'string' },
  },
});
const first = Number(values.from);
const print = (text: string) => process.stdout.write(`${text}\n`);

const stepsWithoutFaults = 150;
if (values.rows !== undefined) {
  const installation = await SimulatedInstallation.create();
  const lines: string[] = [];
  for (let seed = first; seed < first + Number(values.seeds); seed += 1)
    lines.push(...(await rowsOfSeed(installation, seed, stepsWithoutFaults)));
  writeFileSync(values.rows, `${lines.join('\n')}\n`);
  print(`${values.seeds} seeds from ${first} left ${lines.length} rows`);
  process.exit(0);
}

const progressEvery = 10;
let failed = 0;
let steps = 0;
const faults = new Map<string, number>();
const before = process.cpuUsage();
for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  try {
    const simulation = await simulate(seed);
    steps += simulation.trace.length;
    for (const [kind, times] of simulation.around.faultCounts) faults.set(kind, (faults.get(kind) ?? 0) + times);
  } catch (error) {
    failed += 1;
    print(error instanceof Error ? error.message : String(error));
  }
  if ((seed - first + 1) % progressEvery === 0) print(`${seed - first + 1} seeds, ${failed} failed`);
}
const { user, system } = process.cpuUsage(before);
print(
  `${values.seeds} seeds from ${first}, ${failed} failed, ${(steps / Number(values.seeds)).toFixed(0)} steps a seed, ${JSON.stringify(Object.fromEntries(faults))}, ${((user + system) / 1e6 / Number(values.seeds)).toFixed(2)} s of CPU a seed`,
);
process.exit(failed > 0 ? 1 : 0);
