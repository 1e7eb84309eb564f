import type { z } from 'zod';
import { initialDefaultBranch } from '../../domain/pipelines/default-branch.js';
import type { PipelineRetention } from '../../domain/retention/policy.js';
import { invalidField } from '../../domain/problem.js';
import type { OrganizationRow } from '../../entities/database.js';
import type { settingFields } from './fields.js';

export type SettingsInput = { [Key in keyof typeof settingFields]?: z.output<(typeof settingFields)[Key]> };

/** Defaults of a new pipeline, which null restores. */
const initial = {
  description: null as string | null,
  branchConfiguration: null as string | null,
  defaultBranch: initialDefaultBranch,
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
  retention: null as PipelineRetention | null,
};
export type SettingColumns = typeof initial;

/**
 * Returns the plain settings of a request as columns. `complete`: absent settings get their default, the branch that of
 * the organization; otherwise they are left out. Blank texts are stored as sent, for clients that compare their input
 * with the reply, except that a blank mirror URL counts as none.
 */
export function settingColumns(
  input: SettingsInput,
  options: { complete: true; defaultBranch: string | null },
): SettingColumns;
export function settingColumns(
  input: SettingsInput,
  options: { defaultBranch: string | null },
): Partial<SettingColumns>;
export function settingColumns(
  input: SettingsInput,
  { complete = false, defaultBranch }: { complete?: boolean; defaultBranch: string | null },
): Partial<SettingColumns> {
  const defaults = { ...initial, defaultBranch: defaultBranch ?? initial.defaultBranch };
  const keys = (Object.keys(initial) as (keyof SettingColumns)[]).filter((key) => complete || input[key] !== undefined);
  const columns = Object.fromEntries(keys.map((key) => [key, input[key] ?? defaults[key]])) as Partial<SettingColumns>;
  return columns.cloneMirrorUrl === '' ? { ...columns, cloneMirrorUrl: null } : columns;
}

/**
 * Throws `invalid` where a request makes a pipeline public and the organization does not allow that; `before` is the
 * pipeline's visibility so far.
 */
export function refusePublic(
  { visibility }: Pick<SettingsInput, 'visibility'>,
  organization: Pick<OrganizationRow, 'allowsPublicPipelines'>,
  before: 'private' | 'public' = 'private',
): void {
  if (visibility === 'public' && before !== 'public' && !organization.allowsPublicPipelines)
    throw invalidField('visibility', 'cannot be public: the organization does not allow public pipelines');
}
