import { limits } from '../../limits/limits.js';
import type { FailureDetail, ParsedResult, TestResult } from './result.js';
import { isRefused } from './result.js';
import { truncate } from './text.js';

type Failure = Pick<TestResult, 'failureReason' | 'failureExpanded'>;

/** A line counts this much beside its text, because it is stored as JSON: empty lines have a size too. */
const lineOverhead = 3;

const lineBytes = (line: string): number => Buffer.byteLength(line) + lineOverhead;

/** Bytes of a failure's reason and sections. */
export function failureBytes({ failureReason, failureExpanded }: Failure): number {
  let sum = failureReason === null ? 0 : Buffer.byteLength(failureReason);
  for (const { expanded, backtrace } of failureExpanded)
    for (const line of [...expanded, ...backtrace]) sum += lineBytes(line);
  return sum;
}

const cutLine = (bytes: number) =>
  `(${bytes} bytes are left out: a failure is stored with at most ${limits.testFailureBytes})`;

/** Cuts the sections of a failure after `testFailureBytes`, at the end of a line, with a line that says so. */
export function cutFailure(parsed: ParsedResult): ParsedResult {
  if (isRefused(parsed)) return parsed;
  const bytes = failureBytes({ ...parsed, failureReason: null });
  if (bytes <= limits.testFailureBytes) return parsed;
  let room = limits.testFailureBytes;
  const within = (lines: readonly string[]): string[] => {
    // One line that has no room ends all sections: what is kept is the beginning.
    const end = lines.findIndex((line) => (room -= lineBytes(line)) < 0);
    return end === -1 ? [...lines] : lines.slice(0, end);
  };
  const failureExpanded: FailureDetail[] = [];
  for (const { expanded, backtrace } of parsed.failureExpanded) {
    const section = { expanded: within(expanded), backtrace: room < 0 ? [] : within(backtrace) };
    if (room >= 0) {
      failureExpanded.push(section);
      continue;
    }
    const bytesSoFar = failureBytes({ failureReason: null, failureExpanded: [...failureExpanded, section] });
    failureExpanded.push({ ...section, expanded: [...section.expanded, cutLine(bytes - bytesSoFar)] });
    break;
  }
  return { ...parsed, failureExpanded };
}

const reasonLength = 255;
const leftOut: FailureDetail = {
  expanded: ['(left out: the failures of this run before it have used up their room)'],
  backtrace: [],
};

/**
 * Leaves out the sections of failures for which there is no room, in their order, and cuts their reasons: the results
 * count all the same. Returns the results with the bytes that their failures have.
 */
export function withinFailureRoom(
  results: readonly TestResult[],
  room: number,
): { results: TestResult[]; failureBytes: number } {
  let sum = 0;
  const within = results.map((result) => {
    const bytes = failureBytes(result);
    if (bytes === 0) return result;
    if (sum + bytes <= room) {
      sum += bytes;
      return result;
    }
    const { failureReason } = result;
    return {
      ...result,
      failureReason: failureReason === null ? null : truncate(failureReason, reasonLength),
      failureExpanded: result.failureExpanded.length === 0 ? [] : [leftOut],
    };
  });
  return { results: within, failureBytes: sum };
}
