import { limits } from '../../limits/limits.js';
import { itemsOf, objectOf, objectsOf } from './loose.js';
import {
  type ExecutionResult,
  executionResults,
  type FailureDetail,
  type ParsedResult,
  UnreadableResults,
} from './result.js';
import { readTags } from './tags.js';
import { truncate, truncateLines, truncateOrNull, secondsOrNull } from './text.js';

const known: ReadonlySet<string> = new Set(executionResults);

/** Reads the results that collectors send (format `json`): a list of objects, each accepted or refused. */
export function parseCollected(data: unknown): ParsedResult[] {
  if (!Array.isArray(data)) throw new UnreadableResults('is not a list of results');
  return data.map(resultOf);
}

function resultOf(item: unknown): ParsedResult {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return { refused: 'is not an object' };
  const fields = objectOf(item);
  const name = truncateOrNull(fields['name'], limits.testNameLength);
  if (name === null) return { refused: 'name is missing' };
  // A runner's state that the collector has no word for is left out.
  const result = fields['result'] ?? 'unknown';
  if (typeof result !== 'string' || !known.has(result))
    return { refused: `result must be one of ${executionResults.join(', ')}` };
  const history = fields['history'] ?? {};
  if (typeof history !== 'object' || Array.isArray(history)) return { refused: 'history must be an object' };
  const { duration } = history as { duration?: unknown };
  if (duration != null && (typeof duration !== 'number' || secondsOrNull(duration) === null))
    return { refused: 'history.duration must be a number of seconds' };
  const tags = readTags(fields['tags']);
  if ('problem' in tags) return { refused: tags.problem };
  return {
    scope: truncateOrNull(fields['scope'], limits.testNameLength) ?? '',
    name,
    location: truncateOrNull(fields['location'], limits.testNameLength),
    fileName: truncateOrNull(fields['file_name'], limits.testNameLength),
    result: result as ExecutionResult,
    failureReason: truncateOrNull(fields['failure_reason'], limits.testFailureLength),
    failureExpanded: detailsOf(fields['failure_expanded']),
    duration: secondsOrNull(duration),
    tags: tags.tags,
  };
}

/** Pieces about a failure; empty ones, which some collectors send along with every result, are left out. */
function detailsOf(value: unknown): FailureDetail[] {
  return objectsOf(value)
    .slice(0, limits.testFailureDetails)
    .map((detail) => ({ expanded: lines(detail['expanded']), backtrace: lines(detail['backtrace']) }))
    .filter(({ expanded, backtrace }) => expanded.length + backtrace.length > 0);
}

function lines(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : truncateLines(value);
  return itemsOf(value)
    .slice(0, limits.testFailureLines)
    .flatMap((line) => (typeof line === 'string' ? [truncate(line)] : []));
}
