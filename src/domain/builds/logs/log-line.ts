import { readTimestampMark } from './timestamp-mark.js';

// eslint-disable-next-line no-control-regex -- the agent's marks are made of control characters
const mark = /\u001b_(bk;[^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;
// eslint-disable-next-line no-control-regex -- colour and erase codes are made of control characters
const colors = /\u001b\[[0-9;]*[mK]/g;

/** Display of a group: `---` closed, `~~~` closed and dimmed, `+++` open. */
export type GroupKind = 'collapsed' | 'muted' | 'expanded';

const kinds: Readonly<Record<string, GroupKind>> = { '---': 'collapsed', '~~~': 'muted', '+++': 'expanded' };

/** One line of a log, taken apart. */
export interface LogLine {
  /** The line without the agent's timestamp marks; colours and other codes are kept. */
  content: string;
  /** The line's time in milliseconds since the epoch, or null where it has none. */
  timestampMs: bigint | null;
  /** The kind of group the line begins, or null for an ordinary line. */
  group: GroupKind | null;
  /** True for `^^^ +++`, which opens the group before it. */
  opensPrevious: boolean;
}

/**
 * The kind of group that a line without timestamp marks begins, or null. The blank behind the marker is part of it, and a
 * carriage return is no blank: `---` alone, as YAML has it, begins nothing.
 */
export function groupKind(content: string): GroupKind | null {
  const marker = /^(---|\+\+\+|~~~)[^\S\r\n]/.exec(content.replace(colors, ''))?.[1];
  return marker === undefined ? null : (kinds[marker] ?? null);
}

/** True for a line `^^^ +++`. */
export function opensPreviousGroup(content: string): boolean {
  return /^\^\^\^\s\+\+\+/.test(content.replace(colors, ''));
}

/** Takes one line apart. `last` is the time that deltas (`dt=`) count from; malformed marks carry no time. */
export function parseLogLine(line: string, last = 0n): LogLine {
  let timestampMs: bigint | null = null;
  const content = line.replace(mark, (_, text: string) => {
    try {
      timestampMs = readTimestampMark(text, timestampMs ?? last)?.time ?? timestampMs;
    } catch {
      // A malformed mark is removed like any other: it never was part of the program's output.
    }
    return '';
  });
  return { content, timestampMs, group: groupKind(content), opensPrevious: opensPreviousGroup(content) };
}

/** A group of a log: its header, and the numbers (from 0) of its first line and of the line after its last. */
export interface LogGroup {
  header: string;
  kind: GroupKind;
  open: boolean;
  firstLine: number;
  endLine: number;
}

/**
 * The groups of a log's lines. Lines before the first header belong to none. Where no group
 * is `+++`, the last `---` is open.
 */
export function groupsOf(lines: readonly string[]): LogGroup[] {
  const groups: LogGroup[] = [];
  lines.forEach((line, number) => {
    const { content, group, opensPrevious } = parseLogLine(line);
    const previous = groups.at(-1);
    if (group !== null) {
      const header = content.replace(colors, '').trimEnd();
      groups.push({ header, kind: group, open: group === 'expanded', firstLine: number, endLine: number + 1 });
    } else if (previous) {
      previous.endLine = number + 1;
      if (opensPrevious) previous.open = true;
    }
  });
  if (!groups.some(({ kind }) => kind === 'expanded')) {
    const last = groups.findLast(({ kind }) => kind === 'collapsed');
    if (last) last.open = true;
  }
  return groups;
}
