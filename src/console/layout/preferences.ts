/** Appearance, kept in this browser. `system`: what the system prefers. */
export type Theme = 'system' | 'light' | 'dark';

const keys = {
  theme: 'slipway:theme',
  contrast: 'slipway:contrast',
  organization: 'slipway:organization',
  singleKeys: 'slipway:single-keys',
  logTimes: 'slipway:log-times',
  logWrap: 'slipway:log-wrap',
  firstSteps: 'slipway:first-steps',
};

export const themeChosen = (): Theme => (localStorage.getItem(keys.theme) as Theme | null) ?? 'system';

export const contrastChosen = (): boolean => localStorage.getItem(keys.contrast) === 'more';

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(keys.theme, theme);
  applyPreferences();
}

export function chooseContrast(more: boolean): void {
  localStorage.setItem(keys.contrast, more ? 'more' : 'normal');
  applyPreferences();
}

/** Marks the document as chosen; the tokens do the rest. */
export function applyPreferences(): void {
  const { dataset } = document.documentElement;
  const theme = themeChosen();
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (contrastChosen()) dataset['contrast'] = 'more';
  else delete dataset['contrast'];
}

export const lastOrganization = (): string | null => localStorage.getItem(keys.organization);

export const rememberOrganization = (slug: string): void => localStorage.setItem(keys.organization, slug);

/** Whether keys without Ctrl or ⌘ are shortcuts: who dictates or types by accident turns them off (WCAG 2.1.4). */
export const singleKeysChosen = (): boolean => localStorage.getItem(keys.singleKeys) !== 'off';

export const chooseSingleKeys = (on: boolean): void => localStorage.setItem(keys.singleKeys, on ? 'on' : 'off');

/** How logs write the times of their lines; a word of `log-times.ts`. */
export const logTimesChosen = (): string => localStorage.getItem(keys.logTimes) ?? 'off';

export const chooseLogTimes = (form: string): void => localStorage.setItem(keys.logTimes, form);

/** Whether long lines of logs are wrapped. */
export const logWrapChosen = (): boolean => localStorage.getItem(keys.logWrap) === 'on';

export const chooseLogWrap = (on: boolean): void => localStorage.setItem(keys.logWrap, on ? 'on' : 'off');

const firstStepsOf = (organization: string) => `${keys.firstSteps}:${organization}`;

/** Whether the first steps of an organization are hidden in this browser, or were done. */
export const areFirstStepsOver = (organization: string): boolean =>
  localStorage.getItem(firstStepsOf(organization)) === 'over';

export const endFirstSteps = (organization: string): void => localStorage.setItem(firstStepsOf(organization), 'over');
