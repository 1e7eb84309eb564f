/** A value of an enumeration as people say it: `TEAM_MEMBER` is "team member". */
export const enumText = (value: string): string => value.toLowerCase().replaceAll('_', ' ');

/**
 * Name of what an event is about. What the provisioning file names is named with its organization, which is that of
 * the page.
 */
export const subjectName = (name: string | null | undefined, organization: string): string =>
  (name?.startsWith(`${organization}/`) ? name.slice(organization.length + 1) : name) ?? '';
