/** Statuses of a badge. */
export const badgeStatuses = ['passing', 'failing', 'unknown'] as const;
export type BadgeStatus = (typeof badgeStatuses)[number];

/**
 * States of the builds that a badge can show: the last build that passed or failed. A build that was canceled, skipped
 * or not run says nothing about the code, so the badge stays as it was.
 */
export const badgeBuildStates = ['passed', 'failed'] as const;

/** Returns the status for the state of the last build that passed or failed; null for no such build. */
export function badgeStatus(state: string | null): BadgeStatus {
  if (state === 'passed') return 'passing';
  return state === 'failed' ? 'failing' : 'unknown';
}

/**
 * The status for the jobs of a step, `true` for passed (soft failures included); several: passing only if all passed.
 */
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
  if (parts.length < 3 || parts.length > 6 || !parts.every((part) => /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(part)))
    return null;
  const [passing = '', failing = '', unknown = '', label = '555', labelText = 'fff', statusText = labelText] = parts;
  return {
    passing: `#${passing}`,
    failing: `#${failing}`,
    unknown: `#${unknown}`,
    label: `#${label}`,
    labelText: `#${labelText}`,
    statusText: `#${statusText}`,
  };
}

/** The theme of a name, or of `passing,failing,unknown[,label[,text[,status text]]]` in hex; else the default. */
export function badgeTheme(text: string | null): BadgeTheme {
  if (text === null) return badgeTheme('default');
  const name = text.toLowerCase();
  const theme = readTheme((Object.hasOwn(themes, name) ? themes[name] : undefined) ?? text);
  return theme ?? badgeTheme('default');
}

/** Corners are rounded unless `style` is `square`. */
export function badgeStyle(text: string | null): 'flat' | 'flat-square' {
  return text === 'square' || text === 'flat-square' ? 'flat-square' : 'flat';
}
