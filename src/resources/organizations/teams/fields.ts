import { limits } from '../../../domain/limits/limits.js';
import type { Patch } from '../../../entities/database.js';
import { filledText, flag, oneOf, text } from '../../../domain/input-text.js';
import type { z } from 'zod';

export const teamName = filledText(limits.nameLength);
export const teamRole = oneOf(['member', 'maintainer']);

/** Fields of a team in create and update: absent changes nothing, null restores the default. */
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

type Input = { [Field in keyof typeof teamFields]?: z.output<(typeof teamFields)[Field]> };

/** Default values of the columns. */
const defaults = {
  description: null,
  privacy: 'visible',
  isDefaultTeam: false,
  defaultMemberRole: 'member',
  membersCanCreatePipelines: true,
  membersCanCreateSuites: true,
  membersCanCreateRegistries: true,
  membersCanDestroyRegistries: false,
  membersCanDestroyPackages: false,
} as const satisfies Input;

/** Columns of the fields in the request; `complete`: of all fields, with defaults for absent ones. */
export function teamColumns(input: Input, { complete = false } = {}): Patch<'teams'> {
  const columns = Object.entries(defaults).flatMap(([field, standard]) => {
    const value = input[field as keyof typeof defaults];
    if (value === undefined && !complete) return [];
    return [[field === 'isDefaultTeam' ? 'isDefault' : field, value ?? standard]];
  });
  return Object.fromEntries(columns) as Patch<'teams'>;
}
