import { limits } from '../../limits/limits.js';
import { type Loose, objectOf, objectsOf, requiredList, textsOf } from './loose.js';
import type { ExecutionResult, ParsedResult } from './result.js';
import { truncate, truncateLines, truncateOrNull, locationOf, secondsOrNull } from './text.js';

const results: Readonly<Record<string, ExecutionResult>> = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
};

/** Reads Jest's `--json` report (format `jest-json`); a file that could not be run at all counts as one failed test. */
export function parseJest(report: unknown): ParsedResult[] {
  return requiredList(objectOf(report)['testResults'], 'testResults').flatMap(fileResults);
}

function fileResults(file: Loose): ParsedResult[] {
  const fileName = truncateOrNull(file['name'] ?? file['testFilePath'], limits.testNameLength);
  const assertions = objectsOf(file['assertionResults'] ?? file['testResults']);
  if (assertions.length > 0 || file['status'] !== 'failed' || fileName === null)
    return assertions.map((assertion) => assertionResult(assertion, fileName));
  const message = typeof file['message'] === 'string' ? file['message'] : '';
  return [
    {
      scope: '',
      name: fileName,
      fileName,
      location: fileName,
      result: 'failed',
      ...failureOf([message]),
      duration: null,
      tags: {},
    },
  ];
}

function assertionResult(assertion: Loose, fileName: string | null): ParsedResult {
  const name = truncateOrNull(assertion['title'] ?? assertion['fullName'], limits.testNameLength);
  if (name === null) return { refused: 'test has no title' };
  const milliseconds = secondsOrNull(assertion['duration']);
  return {
    scope: truncate(textsOf(assertion['ancestorTitles']).join(' '), limits.testNameLength),
    name,
    fileName,
    location: locationOf(fileName, objectOf(assertion['location'])['line']),
    result: results[String(assertion['status'])] ?? 'unknown',
    ...failureOf(textsOf(assertion['failureMessages'])),
    duration: milliseconds === null ? null : milliseconds / 1000,
    tags: {},
  };
}

function failureOf(messages: readonly string[]) {
  const details = messages
    .filter((message) => message.trim() !== '')
    .slice(0, limits.testFailureDetails)
    .map((message) => ({ expanded: truncateLines(message), backtrace: [] }));
  return { failureReason: truncateOrNull(details[0]?.expanded[0], limits.testFailureLength), failureExpanded: details };
}
