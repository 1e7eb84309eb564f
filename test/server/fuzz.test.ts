import { readFileSync } from 'node:fs';
import { Served } from '../support/fuzz/served.js';

/** `FUZZ_SEED=123` sends that case alone; `FUZZ_CASES` says how many there are. */
const alone = process.env['FUZZ_SEED'];
const cases = Number(process.env['FUZZ_CASES'] ?? (process.env['CI'] === 'true' ? 10_000 : 1_500));
const batchSize = 250;

const served = new Served();
beforeAll(() => served.start(), 150_000);
afterAll(() => served.stop());

const first = alone === undefined ? 1 : Number(alone);
const last = alone === undefined ? cases : first;

/** Sends each case by itself to find those that do it. */
async function culprits(seeds: readonly number[]): Promise<string> {
  const found: string[] = [];
  await served.restart();
  for (const seed of seeds) {
    await served.send([seed]);
    const wrong = await served.wrong();
    const faults = served.faults();
    if (wrong === null && faults.length === 0) continue;
    found.push(`FUZZ_SEED=${seed}: ${wrong ?? faults[0]}`);
    if (found.length >= 3) break;
    await served.restart();
  }
  return found.join('\n') || 'no case does it by itself';
}

describe('raw bytes at every surface', () => {
  test("end neither the process nor anybody else's request, and are nowhere answered as a fault of ours", async () => {
    served.faults();
    const cpu = () => served.cpuSeconds((path) => readFileSync(path, 'utf8'));
    const before = cpu();
    for (let start = first; start <= last; start += batchSize) {
      const seeds = Array.from({ length: Math.min(batchSize, last - start + 1) }, (_, index) => start + index);
      await served.send(seeds);
      const wrong = await served.wrong();
      const faults = served.faults();
      if (wrong !== null || faults.length > 0)
        throw new Error(
          `seeds ${start} to ${start + seeds.length - 1}: ${wrong ?? faults[0]}\n${await culprits(seeds)}`,
        );
    }
    process.stdout.write(`fuzz: ${last - first + 1} cases, ${(cpu() - before).toFixed(1)} s of CPU in the server\n`);
  }, 600_000);
});
