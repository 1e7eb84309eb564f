// eslint-disable-next-line no-control-regex -- colour and erase codes are made of control characters
const colors = /\u001b\[[0-9;]*[mK]/g;

/** Display of a group: `---` closed, `~~~` closed and dimmed, `+++` open. */
export type GroupKind = 'collapsed' | 'muted' | 'expanded';

const kinds: Readonly<Record<string, GroupKind>> = { '---': 'collapsed', '~~~': 'muted', '+++': 'expanded' };

/**
 * The kind of group that a line without timestamp marks begins, or null. The blank behind the marker is part of it, and
 * a carriage return is no blank: `---` alone, as YAML has it, begins nothing.
 */
export function groupKind(content: string): GroupKind | null {
  const marker = /^(---|\+\+\+|~~~)[^\S\r\n]/.exec(content.replace(colors, ''))?.[1];
  return marker === undefined ? null : (kinds[marker] ?? null);
}

/** True for a line `^^^ +++`. */
export function opensPreviousGroup(content: string): boolean {
  return /^\^\^\^\s\+\+\+/.test(content.replace(colors, ''));
}
