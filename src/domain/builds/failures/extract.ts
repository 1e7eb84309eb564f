import { createHash } from 'node:crypto';
import { markOfLine, sureWeight } from './failure-lines.js';
import { HashesOfLog, lineHash, shownLines } from './line-hashes.js';
import { maskedLine } from './masked-line.js';

/** `failure_only`: no passed run of the step that is known has the line; `error`: it tells of a failure by itself. */
export const extractKinds = ['failure_only', 'error'] as const;
export type ExtractKind = (typeof extractKinds)[number];

/** A line of a failed job's log. Lines count from 0. */
export interface ExtractLine {
  line: number;
  text: string;
  kind: ExtractKind;
}

/** The lines of a failed job's log that are kept as long as its build. */
export interface Extract {
  lines: ExtractLine[];
  /** Hash of the line that decided, by which the same failure is found elsewhere; null where none tells of one. */
  cluster: string | null;
  /** Index of that line. */
  decisive: number | null;
}

export const mostExtractLines = 20;
export const mostExtractBytes = 4 * 1024;
const mostOfLine = 500;
/** Marked lines that are remembered on the way, of which the best remain. */
const remembered = 40;
/** Lines behind a marked one that are more likely to belong to it. */
const linesNear = 5;

interface Candidate {
  line: number;
  text: string;
  /** Masked hash: a line that is repeated counts once. */
  hash: string;
  /** Weight of its mark; 0 without one. */
  weight: number;
  /** Whether failures of any cause have such a line: it makes no other less sure, and two with it are not alike. */
  isOfAnyCause: boolean;
  /** False for lines that a passed run has too, or where there is none to compare with. */
  isFailureOnly: boolean;
}

/** What was found in a log so far. */
export interface FoundSoFar {
  /** Lines before the next part. */
  lines: number;
  marked: Candidate[];
  /** Lines that no passed run has, without a mark: those near a marked one, else the last ones. */
  others: Candidate[];
  /** The last line with a mark. */
  lastMarked: number;
}

export const nothingFound: FoundSoFar = { lines: 0, marked: [], others: [], lastMarked: -linesNear - 1 };

export interface PartOfFailedLog {
  bytes: Uint8Array;
  /** Lines of the command tell of no failure: agents print them before they run it. */
  command: string | null;
  /** Hashes of the lines of passed runs of the step; none where there is nothing to compare with. */
  passed: readonly Uint8Array[];
}

/** Looks through the next part of a failed job's log, which ends with a line unless the log ends. */
export function extractFrom(before: FoundSoFar, { bytes, command, passed }: PartOfFailedLog): FoundSoFar {
  const logs = passed.map((hashes) => new HashesOfLog(hashes));
  const ofCommand = new Set((command ?? '').split('\n').map((line) => line.trim()));
  const now: FoundSoFar = { ...before, marked: [...before.marked], others: [...before.others] };
  const shown = shownLines(bytes);
  for (const [index, whole] of shown.entries()) {
    if (whole === '' || ofCommand.has(whole.replace(/^\$ /, '').trim())) continue;
    const hash = lineHash(whole);
    if (!hash) continue;
    const text = whole.slice(0, mostOfLine).toWellFormed();
    const mark = markOfLine(text);
    const weight = mark?.weight ?? 0;
    const isOfAnyCause = mark !== null && (mark.isEndOfCommand === true || ofAnyCause.test(text));
    const isFailureOnly = logs.length > 0 && !logs.some((log) => log.has(hash));
    if (weight === 0 && !isFailureOnly) continue;
    const line = before.lines + index;
    const candidate = { line, text, hash: `${hash.high} ${hash.low}`, weight, isOfAnyCause, isFailureOnly };
    if (weight > 0) {
      remember(now.marked, candidate);
      now.lastMarked = line;
    } else rememberOther(now.others, candidate, line - now.lastMarked <= linesNear);
  }
  return { ...now, lines: before.lines + shown.length - 1 };
}

const worth = ({ weight, isFailureOnly }: Candidate) => weight + (isFailureOnly ? 10 : 0);

/** Keeps the best, of equals the first; a line that is there already counts once. */
function remember(marked: Candidate[], candidate: Candidate): void {
  const last = marked.at(-1);
  if (marked.length >= remembered && last && worth(last) >= worth(candidate)) return;
  if (marked.some(({ hash }) => hash === candidate.hash)) return;
  const at = marked.findLastIndex((each) => worth(each) >= worth(candidate)) + 1;
  marked.splice(at, 0, candidate);
  marked.splice(remembered);
}

/** Those near a marked line have weight, of 0.5, and go before the others, of which the last ones stay. */
function rememberOther(others: Candidate[], candidate: Candidate, isNear: boolean): void {
  if (others.some(({ hash }) => hash === candidate.hash)) return;
  others.push({ ...candidate, weight: isNear ? 0.5 : 0 });
  if (others.length <= mostExtractLines) return;
  const first = others.findIndex(({ weight }) => weight === 0);
  // Of those near, the first stay: they stand by the cause.
  others.splice(first < 0 ? others.length - 1 : first, 1);
}

/** Lines that failures of any cause have, beside the ends of commands. */
const ofAnyCause = new RegExp(
  [
    '^\\s*Traceback \\(|^\\s*goroutine \\d|^FAIL\\s*$|^\\s*Tests? run:|^\\s*\\d+ (?:failed|failing|errors?)\\b',
    '\\bexit(?:ed)? (?:with )?(?:(?:exit |status )?(?:code|status))?:? ?\\d+\\.?$',
    'Command failed|BUILD FAIL|What went wrong|^npm (?:ERR!|error) (?:code|errno|Lifecycle)',
    '^make(?:\\[\\d+\\])?: \\*{3}',
  ].join('|'),
  'i',
);

/** The lines that tell most, at most 20 of 4 KiB, in their order; null where none tells of the failure. */
export function finishExtract({ marked, others }: FoundSoFar): Extract | null {
  const telling = tellingOf(marked);
  const decisive = telling.find(({ isOfAnyCause }) => !isOfAnyCause);
  const best = [...(decisive ? [decisive] : []), ...telling.filter((each) => each !== decisive)];
  const chosen = withinBytes([...best, ...others.toSorted((a, b) => b.weight - a.weight)].slice(0, mostExtractLines));
  if (chosen.length === 0) return null;
  const lines = chosen.toSorted((a, b) => a.line - b.line);
  return {
    lines: lines.map(({ line, text, isFailureOnly }) => ({
      line,
      text,
      kind: isFailureOnly ? 'failure_only' : 'error',
    })),
    cluster: decisive ? clusterOf(decisive.text) : null,
    decisive: decisive ? lines.indexOf(decisive) : null,
  };
}

/** Beside lines that no passed run has, those that one has do not tell; beside sure ones, a mere word does not. */
function tellingOf(marked: readonly Candidate[]): Candidate[] {
  const isSure = ({ weight, isOfAnyCause }: Candidate) => weight >= sureWeight && !isOfAnyCause;
  const some = marked.some(({ isFailureOnly }) => isFailureOnly)
    ? marked.filter(({ isFailureOnly }) => isFailureOnly)
    : marked;
  return some.some(isSure) ? some.filter(({ weight }) => weight >= sureWeight / 2) : [...some];
}

/** The first that fit; the others are left out whole. */
function withinBytes(lines: readonly Candidate[]): Candidate[] {
  let left = mostExtractBytes;
  return lines.filter(({ text }) => {
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** The first 16 bytes of the SHA-256 of a line without what differs from run to run; the number is of this rule. */
function clusterOf(line: string): string {
  return createHash('sha256')
    .update(`1 ${maskedLine(line)}`)
    .digest('hex')
    .slice(0, 32);
}
