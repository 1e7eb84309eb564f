import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { failureExcerpts } from '../../../../src/domain/builds/failures/failure-excerpts.js';
import { EscapeStripper, lastStateOf } from '../../../../src/domain/builds/logs/plain-text.js';
import { describeUnless } from '../../../support/skips.js';

/**
 * Logs of failed builds of public repositories, in each of which a person has marked the lines that tell why, where
 * `LABELLED_LOGS` names the folder of the data set LogChunks (a folder `samples` and a folder `example-sets`).
 */
const folder = process.env['LABELLED_LOGS'];

interface LabelledLog {
  InputPath: string;
  /** The marked lines. */
  Output: string;
}

/** The labelled logs of each repository, by its name. */
function repositories(root: string): LabelledLog[][] {
  const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'ExampleDataOfString' });
  return readdirSync(join(root, 'example-sets/BuildFailureReason'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.xml'))
    .sort()
    .map((path) => {
      const set = parser.parse(readFileSync(join(root, 'example-sets/BuildFailureReason', path), 'utf8'));
      return set.AnalysisProgramOfRegionAnalysisSessionString.LearningData.Examples.ExampleDataOfString;
    });
}

/** Lines with words, as a person sees them. */
const linesOf = (text: string) =>
  new EscapeStripper()
    .push(text)
    .split('\n')
    .map((line) => lastStateOf(line).replace(/\s+/g, ' ').trim())
    .filter((line) => /\w{3}/.test(line));

/** Whether a marked line is among those of the excerpts, where it may stand in a longer one, or be cut. */
function isFound(root: string, { InputPath, Output }: LabelledLog): boolean {
  const log = readFileSync(join(root, 'samples', InputPath), 'utf8');
  const shown = failureExcerpts(log).flatMap(({ text }) => linesOf(text));
  return linesOf(Output).some((line) =>
    shown.some(
      (each) =>
        each === line ||
        (line.length > 8 && each.includes(line)) ||
        (each.endsWith('…') && line.startsWith(each.slice(0, -1))),
    ),
  );
}

describeUnless(
  folder ? null : 'LABELLED_LOGS names no folder',
  'the parts of public logs that tell of a failure',
  () => {
    const root = String(folder);

    test('have a line that tells why, in 45 of 50 logs of as many repositories', () => {
      const logs = repositories(root).flatMap((all) => all.slice(0, 1));
      const missing = logs.slice(0, 50).filter((log) => !isFound(root, log));
      expect(logs.length).toBeGreaterThanOrEqual(50);
      expect(missing.map(({ InputPath }) => InputPath).slice(5)).toEqual([]);
    });

    test('have one in nine of ten of all logs', () => {
      const logs = repositories(root).flat();
      const found = logs.filter((log) => isFound(root, log)).length;
      process.stdout.write(`labelled logs: ${found} of ${logs.length}\n`);
      expect(found / logs.length).toBeGreaterThan(0.9);
    }, 120_000);
  },
);
