import type { z } from 'zod';
import type { settingFields } from './fields.js';

export type GivenSettings = { [Key in keyof typeof settingFields]?: z.output<(typeof settingFields)[Key]> };

/** What a new pipeline has, and what null puts back. */
const initial = {
  description: null as string | null,
  branchConfiguration: null as string | null,
  defaultBranch: 'main',
  skipQueuedBranchBuilds: false,
  skipQueuedBranchBuildsFilter: null as string | null,
  cancelRunningBranchBuilds: false,
  cancelRunningBranchBuildsFilter: null as string | null,
  allowRebuilds: true,
  defaultTimeoutInMinutes: null as number | null,
  maximumTimeoutInMinutes: null as number | null,
  cloneMirrorUrl: null as string | null,
  color: null as string | null,
  emoji: null as string | null,
  visibility: 'private' as 'private' | 'public',
  tags: [] as string[],
};
export type SettingColumns = typeof initial;

/**
 * The plain settings of a request as columns. `complete`: a default for each that is absent; else only those given.
 * Blank texts are kept as they are, for clients that compare what they read with what they sent (compatibility 11),
 * but a blank mirror URL is none (rest-facts 2.1.1).
 */
export function settingColumns(given: GivenSettings, options: { complete: true }): SettingColumns;
export function settingColumns(given: GivenSettings): Partial<SettingColumns>;
export function settingColumns(given: GivenSettings, { complete = false } = {}): Partial<SettingColumns> {
  const keys = (Object.keys(initial) as (keyof SettingColumns)[]).filter((key) => complete || given[key] !== undefined);
  const columns = Object.fromEntries(keys.map((key) => [key, given[key] ?? initial[key]])) as Partial<SettingColumns>;
  return columns.cloneMirrorUrl === '' ? { ...columns, cloneMirrorUrl: null } : columns;
}
