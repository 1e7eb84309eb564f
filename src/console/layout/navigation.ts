import { texts } from '../texts/texts';

export interface NavigationEntry {
  to: string;
  text: string;
  /** In the bar; the others are behind its last button. */
  main: boolean;
}

/** Pages of an organization. */
export function navigation(slug: string): NavigationEntry[] {
  const of = `/organizations/${slug}`;
  const { nav } = texts.shell;
  return [
    { to: `/${slug}`, text: nav.pipelines, main: true },
    { to: `${of}/agents`, text: nav.agents, main: true },
    { to: `${of}/clusters`, text: nav.clusters, main: true },
    { to: `${of}/analytics/suites`, text: nav.suites, main: true },
    { to: `${of}/teams`, text: nav.teams, main: false },
    { to: `${of}/users`, text: nav.members, main: false },
    { to: `${of}/pipeline-templates`, text: nav.templates, main: false },
    { to: `${of}/notification-services`, text: nav.notifications, main: false },
    { to: `${of}/rules`, text: nav.rules, main: false },
    { to: `${of}/api-tokens`, text: nav.tokens, main: false },
    { to: `${of}/audit-log`, text: nav.audit, main: false },
    { to: of, text: nav.settings, main: false },
  ];
}
