import { limits } from '../../limits/limits.js';
import { type ExecutionResult, type FailureDetail, type ParsedResult, UnreadableResults } from './result.js';
import { truncate, truncateLines, truncateOrNull, locationOf, secondsOrNull } from './text.js';
import { parseXml, type XmlElement } from './xml.js';

const roots = new Set(['testsuites', 'testsuite']);

/**
 * Reads JUnit XML as its many writers make it: test cases in suites in suites. A case with a failure or an error is
 * failed, else skipped when it says so, else passed. One without classname or name is refused.
 */
export function parseJUnit(text: string): ParsedResult[] {
  const root = parseXml(text);
  if (!roots.has(root.name)) throw new UnreadableResults('has no testsuites element');
  return casesOf(root, null);
}

function casesOf(suite: XmlElement, outerFile: string | null): ParsedResult[] {
  const file =
    truncateOrNull(suite.attributes['file'] ?? suite.attributes['filepath'], limits.testNameLength) ?? outerFile;
  return suite.children.flatMap((child) => {
    if (child.name === 'testcase') return [caseOf(child, file)];
    return child.name === 'testsuite' ? casesOf(child, file) : [];
  });
}

function caseOf(testcase: XmlElement, outerFile: string | null): ParsedResult {
  const { attributes, children } = testcase;
  const scope = truncateOrNull(attributes['classname'], limits.testNameLength);
  const name = truncateOrNull(attributes['name'], limits.testNameLength);
  if (name === null) return { refused: 'testcase has no name' };
  if (scope === null) return { refused: 'testcase has no classname' };
  const failures = children.filter((child) => child.name === 'failure' || child.name === 'error');
  const fileName = truncateOrNull(attributes['file'] ?? attributes['filepath'], limits.testNameLength) ?? outerFile;
  return {
    scope,
    name,
    fileName,
    location: locationOf(fileName, attributes['line'] ?? attributes['lineno']),
    result: resultOf(children, failures),
    failureReason: reasonOf(failures[0]),
    failureExpanded: failures.slice(0, limits.testFailureDetails).flatMap(detailOf),
    duration: secondsOrNull(attributes['time']),
    tags: {},
  };
}

function resultOf(children: readonly XmlElement[], failures: readonly XmlElement[]): ExecutionResult {
  if (failures.length > 0) return 'failed';
  return children.some((child) => child.name === 'skipped') ? 'skipped' : 'passed';
}

/** Returns the message of a failure, or the first line of its content, or its type. */
function reasonOf(failure: XmlElement | undefined): string | null {
  if (!failure) return null;
  const [firstLine = ''] = truncateLines(failure.text);
  const words = [failure.attributes['message'], firstLine, failure.attributes['type']].find(
    (text) => text !== undefined && text.trim() !== '',
  );
  return words === undefined ? null : truncate(words.trim());
}

function detailOf({ text }: XmlElement): FailureDetail[] {
  return text.trim() === '' ? [] : [{ expanded: truncateLines(text), backtrace: [] }];
}
