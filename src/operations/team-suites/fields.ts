import { z } from 'zod';
import type { SuiteAccess } from '../../entities/team-suite.js';
import { oneOf, orMissing } from '../text.js';

const words = ['read', 'edit'] as const;

/** `read`, `edit` or both in any order (api-v2.md, Team suite); kept with `read` first. */
export const suiteAccess = z
  .array(oneOf(words), { error: orMissing('must be a list of read and edit') })
  .min(1, 'must hold read, edit or both')
  .max(words.length, 'must hold read and edit at most once each')
  .transform((given): SuiteAccess[] => words.filter((word) => given.includes(word)));
