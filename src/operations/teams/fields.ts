import { limits } from '../../domain/limits.js';
import type { Patch } from '../../entities/database.js';
import { filledText, flag, oneOf, text } from '../text.js';
import type { z } from 'zod';

export const teamName = filledText(limits.nameLength);
export const teamRole = oneOf(['member', 'maintainer']);

/** What creating and updating a team both take (rest-facts 3.5): absent leaves alone, null means the default. */
export const teamFields = {
  description: text(limits.descriptionLength).nullish(),
  privacy: oneOf(['visible', 'secret']).nullish(),
  /** Whether new members of the organization join it. */
  isDefaultTeam: flag.nullish(),
  defaultMemberRole: teamRole.nullish(),
  membersCanCreatePipelines: flag.nullish(),
  membersCanCreateSuites: flag.nullish(),
  membersCanCreateRegistries: flag.nullish(),
  membersCanDestroyRegistries: flag.nullish(),
  membersCanDestroyPackages: flag.nullish(),
};

type Given = { [Field in keyof typeof teamFields]?: z.output<(typeof teamFields)[Field]> };

/** What a column holds where nothing else is asked for. */
const defaults = {
  description: null, privacy: 'visible', isDefaultTeam: false, defaultMemberRole: 'member', membersCanCreatePipelines: true,
  membersCanCreateSuites: true, membersCanCreateRegistries: true, membersCanDestroyRegistries: false, membersCanDestroyPackages: false,
} as const satisfies Given;

/** The columns of the fields given; with `complete` of all, the absent ones by their defaults. */
export function teamColumns(given: Given, { complete = false } = {}): Patch<'teams'> {
  const columns = Object.entries(defaults).flatMap(([field, standard]) => {
    const value = given[field as keyof typeof defaults];
    if (value === undefined && !complete) return [];
    return [[field === 'isDefaultTeam' ? 'isDefault' : field, value ?? standard]];
  });
  return Object.fromEntries(columns) as Patch<'teams'>;
}
