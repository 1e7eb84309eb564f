import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterUpload, newRun } from '../../../../src/domain/suites/suite-run-state.js';
import { parseJUnit } from '../../../../src/domain/suites/results/parse-junit.js';
import { sortResults, UnreadableResults } from '../../../../src/domain/suites/results/result.js';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../../../support/vectors.js';

interface JUnitCase {
  id: string;
  file: string;
  well_formed: boolean;
  totals: { tests: number } | null;
  missing_classname?: number;
  missing_name?: number;
  run_result_expected: string | null;
  cases?: {
    name: string | null;
    classname: string | null;
    file: string | null;
    time: string | null;
    status: string;
    failure_message: string | null;
  }[];
  cases_listed?: number;
}
const { cases } = vectorsPresent ? readVectors<{ cases: JUnitCase[] }>('test-results/junit-index.json') : { cases: [] };
const read = (each: JUnitCase) => readFileSync(join(vectorsDir, 'test-results', each.file), 'utf8');
const filled = (text: string | null) => text !== null && text.trim() !== '';

describeWithVectors('JUnit XML of many frameworks', () => {
  test.each(cases.filter((each) => !each.well_formed).map((each) => [each.id, each] as const))(
    'the document %s is not well-formed and is refused',
    (_id, each) => {
      expect(() => parseJUnit(read(each))).toThrow(UnreadableResults);
    },
  );

  test.each(cases.filter((each) => each.well_formed).map((each) => [each.id, each] as const))(
    'the document %s is parsed into the expected results',
    (_id, each) => {
      const { taken, refusals } = sortResults(parseJUnit(read(each)));
      expect(taken.length + refusals.length).toBe(each.totals?.tests);
      if ((each.missing_classname ?? 0) + (each.missing_name ?? 0) === 0) {
        expect(refusals).toEqual([]);
        const run = afterUpload(newRun, {
          processed: taken.length,
          failed: taken.filter((result) => result.result === 'failed').length,
        });
        expect(run.result).toBe(each.run_result_expected);
      } else
        expect(refusals.length).toBeGreaterThanOrEqual(Math.max(each.missing_classname ?? 0, each.missing_name ?? 0));
      if (each.cases === undefined || each.cases_listed !== each.totals?.tests) return;
      const expected = each.cases.filter((one) => filled(one.name) && filled(one.classname));
      expect(taken.map(({ scope, name, result }) => ({ scope, name, result }))).toEqual(
        expected.map((one) => ({ scope: one.classname, name: one.name, result: one.status })),
      );
      for (const [index, one] of expected.entries()) {
        const result = taken[index];
        if (one.time !== null && Number(one.time) >= 0) expect(result?.duration).toBe(Number(one.time));
        if (filled(one.file)) expect(result?.fileName).toBe(one.file);
        if (filled(one.failure_message))
          expect(result?.failureReason?.replace(/\s+/g, ' ')).toContain(
            one.failure_message!.trim().replace(/\s+/g, ' ').slice(0, 60),
          );
      }
    },
  );
});
