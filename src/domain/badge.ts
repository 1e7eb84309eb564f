/** What a badge says. */
export const badgeStatuses = ['passing', 'failing', 'unknown'] as const;
export type BadgeStatus = (typeof badgeStatuses)[number];

/**
 * States of the builds that count: the badge shows the last build that ended with a verdict. One that was canceled,
 * skipped or not run says nothing about the code and leaves the badge as it was (rest-facts 8.6, choice).
 */
export const badgeBuildStates = ['passed', 'failed'] as const;

/** The status for the last counting build's state; null: there is none. */
export function badgeStatus(state: string | null): BadgeStatus {
  if (state === 'passed') return 'passing';
  return state === 'failed' ? 'failing' : 'unknown';
}

/** The status for the jobs of a step, `true` for passed (soft failures included); several: passing only if all passed. */
export function badgeStatusOfStep(passed: readonly boolean[]): BadgeStatus {
  if (passed.length === 0) return 'unknown';
  return passed.every(Boolean) ? 'passing' : 'failing';
}

/** The status a sample badge asks for; unknown for anything else. */
export function sampleStatus(text: string | null): BadgeStatus {
  return badgeStatuses.find((status) => status === text) ?? 'unknown';
}

/** Colours of a badge, each `#` and 3 or 6 hex digits. */
export interface BadgeTheme {
  passing: string;
  failing: string;
  unknown: string;
  label: string;
  labelText: string;
  statusText: string;
}

const themes: Readonly<Record<string, string>> = {
  default: '4c1,e05d44,9f9f9f,555',
  slack: '77992e,d7100c,82d3e0,5c3957,fff',
  github: '77F177,F88,aaa,666',
  saturn: '31a7c9,db8958,675a80,201632,b4a1d6,fff',
  flickr: '0c5edb,ee0882,999,333,fff',
  solarized: '859900,dc322f,586e75,073642,eee8d5,fdf6e3',
  mono: 'aaa,aaa,aaa,555',
};

function readTheme(text: string): BadgeTheme | null {
  const parts = text.split(',').map((part) => part.trim().replace(/^#/, ''));
  if (parts.length < 3 || parts.length > 6 || !parts.every((part) => /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(part))) return null;
  const [passing = '', failing = '', unknown = '', label = '555', labelText = 'fff', statusText = labelText] = parts;
  return {
    passing: `#${passing}`, failing: `#${failing}`, unknown: `#${unknown}`,
    label: `#${label}`, labelText: `#${labelText}`, statusText: `#${statusText}`,
  };
}

/** The theme of a name, or of `passing,failing,unknown[,label[,text[,status text]]]` in hex; else the default. */
export function badgeTheme(text: string | null): BadgeTheme {
  const wanted = text === null ? undefined : Object.hasOwn(themes, text.toLowerCase()) ? themes[text.toLowerCase()] : text;
  const theme = wanted === undefined ? null : readTheme(wanted);
  return theme ?? badgeTheme('default');
}

/** Rounded corners unless square ones are asked for. */
export function badgeStyle(text: string | null): 'flat' | 'flat-square' {
  return text === 'square' || text === 'flat-square' ? 'flat-square' : 'flat';
}
