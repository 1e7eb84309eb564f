import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BothSurfaces, type Data } from '../support/both-surfaces.js';
import { newSuite } from '../support/suites.js';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../support/vectors.js';

interface JUnitCase {
  id: string;
  file: string;
  well_formed: boolean;
  totals: { tests: number } | null;
  missing_classname?: number;
  missing_name?: number;
  run_result_expected: string | null;
}
const { cases } = vectorsPresent ? readVectors<{ cases: JUnitCase[] }>('test-results/junit-index.json') : { cases: [] };

describeWithVectors('JUnit XML of many frameworks, sent as a form', () => {
  let surfaces: BothSurfaces;
  beforeAll(async () => void (surfaces = await BothSurfaces.open()));
  afterAll(() => surfaces.close());

  test("the results of every JUnit file add up and decide the run's result, and malformed XML is refused", async () => {
    const suite = await newSuite(surfaces, 'Vectors');
    const runs = new Map<string, JUnitCase>();
    for (const each of cases) {
      const file = readFileSync(join(vectorsDir, 'test-results', each.file));
      const reply = await surfaces
        .collector(suite.authorization)
        .field('format', 'junit')
        .field('run_env[key]', each.id)
        .attach('data', file, 'junit.xml');
      expect([each.id, reply.status]).toEqual([each.id, each.well_formed ? 202 : 422]);
      if (!each.well_formed) continue;
      expect([each.id, reply.body.queued + reply.body.skipped]).toEqual([each.id, each.totals?.tests]);
      runs.set(reply.body.run_id, each);
    }
    const shown = new Map<string, string>(
      (await surfaces.read(['get', `${suite.path}/runs?per_page=100`])).map((run: Data) => [run.id, run.result]),
    );
    expect(shown.size).toBe(runs.size);
    // Cases without classname or name are refused, and refused cases do not affect the result.
    const whole = [...runs].filter(([, each]) => (each.missing_classname ?? 0) + (each.missing_name ?? 0) === 0);
    expect(whole.length).toBeGreaterThan(60);
    expect(whole.map(([id, each]) => [each.id, shown.get(id)])).toEqual(
      whole.map(([, each]) => [each.id, each.run_result_expected]),
    );
  });
});
