import { limits } from '../../limits/limits.js';
import { type Loose, objectOf, objectsOf, requiredList } from './loose.js';
import { type ExecutionResult, type ParsedResult, UnreadableResults } from './result.js';
import { truncate, truncateLines, truncateOrNull, locationOf, secondsOrNull } from './text.js';

const results: Readonly<Record<string, ExecutionResult>> = {
  passed: 'passed',
  failed: 'failed',
  timedOut: 'failed',
  interrupted: 'failed',
  skipped: 'skipped',
};

/**
 * Reads the report of Playwright's JSON reporter (format `playwright-json`): the final result of each test in each of
 * its projects.
 */
export function parsePlaywright(report: unknown): ParsedResult[] {
  return requiredList(objectOf(report)['suites'], 'suites').flatMap((suite) => suiteResults(suite, [], 1));
}

function suiteResults(suite: Loose, outer: readonly string[], depth: number): ParsedResult[] {
  if (depth > limits.testReportDepth)
    throw new UnreadableResults(`is nested more than ${limits.testReportDepth} levels deep`);
  const title = truncateOrNull(suite['title'], limits.testNameLength);
  const titles = title === null ? outer : [...outer, title];
  const own = objectsOf(suite['specs']).flatMap((spec) => specResults(spec, titles));
  return [...own, ...objectsOf(suite['suites']).flatMap((inner) => suiteResults(inner, titles, depth + 1))];
}

function specResults(spec: Loose, titles: readonly string[]): ParsedResult[] {
  const name = truncateOrNull(spec['title'], limits.testNameLength);
  if (name === null) return [{ refused: 'spec has no title' }];
  const fileName = truncateOrNull(spec['file'], limits.testNameLength);
  return objectsOf(spec['tests']).map((test): ParsedResult => {
    const project = truncateOrNull(test['projectName'], limits.testNameLength);
    const last = objectsOf(test['results']).at(-1) ?? {};
    const error = objectOf(last['error']);
    const message = typeof error['message'] === 'string' ? error['message'] : '';
    const milliseconds = secondsOrNull(last['duration']);
    const [reason] = truncateLines(message);
    return {
      scope: truncate([...(project === null ? [] : [project]), ...titles].join(' '), limits.testNameLength),
      name,
      fileName,
      location: locationOf(fileName, spec['line']),
      result: resultOf(test, last),
      failureReason: truncateOrNull(reason, limits.testFailureLength),
      failureExpanded:
        message.trim() === ''
          ? []
          : [
              {
                expanded: truncateLines(message),
                backtrace: typeof error['stack'] === 'string' ? truncateLines(error['stack']) : [],
              },
            ],
      duration: milliseconds === null ? null : milliseconds / 1000,
      tags: {},
    };
  });
}

/** A test that is expected to fail passes by failing. */
function resultOf(test: Loose, last: Loose): ExecutionResult {
  if (test['status'] === 'expected' || test['status'] === 'flaky') return 'passed';
  if (test['status'] === 'unexpected') return 'failed';
  return results[String(last['status'] ?? test['status'])] ?? 'unknown';
}
