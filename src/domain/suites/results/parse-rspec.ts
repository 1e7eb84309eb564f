import { limits } from '../../limits/limits.js';
import { type Loose, objectOf, requiredList, textsOf } from './loose.js';
import type { ExecutionResult, ParsedResult } from './result.js';
import { truncate, truncateLines, truncateOrNull, locationOf, secondsOrNull } from './text.js';
import { firstLine } from '../../first-line.js';

const results: Readonly<Record<string, ExecutionResult>> = { passed: 'passed', failed: 'failed', pending: 'skipped' };

/** Reads the report of RSpec's JSON formatter (format `rspec-json`). */
export function parseRSpec(report: unknown): ParsedResult[] {
  return requiredList(objectOf(report)['examples'], 'examples').map(exampleOf);
}

function exampleOf(example: Loose): ParsedResult {
  const description = truncateOrNull(example['description'], limits.testNameLength);
  const whole = truncateOrNull(example['full_description'], limits.testNameLength);
  const name = description ?? whole;
  if (name === null) return { refused: 'example has no description' };
  const fileName = truncateOrNull(example['file_path'], limits.testNameLength);
  const exception = objectOf(example['exception']);
  const message = typeof exception['message'] === 'string' ? exception['message'] : '';
  const backtrace = textsOf(exception['backtrace'])
    .slice(0, limits.testFailureLines)
    .map((line) => truncate(line));
  return {
    // The full description consists of the groups' description, a space, and the example's.
    scope: whole !== null && whole !== name && whole.endsWith(` ${name}`) ? whole.slice(0, -name.length - 1) : '',
    name,
    fileName,
    location: locationOf(fileName, example['line_number']),
    result: results[String(example['status'])] ?? 'unknown',
    failureReason: truncateOrNull(firstLine(message.trim()), limits.testFailureLength),
    failureExpanded:
      message.trim() === '' && backtrace.length === 0 ? [] : [{ expanded: truncateLines(message), backtrace }],
    duration: secondsOrNull(example['run_time']),
    tags: {},
  };
}
