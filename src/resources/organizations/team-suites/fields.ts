import { z } from 'zod';
import type { SuiteAccess } from '../../../entities/organizations/team-suite.js';
import { oneOf, orMissing } from '../../../domain/input-text.js';

const words = ['read', 'edit'] as const;

/** `read`, `edit` or both in any order; kept with `read` first. */
export const suiteAccess = z
  .array(oneOf(words), { error: orMissing('must be a list of read and edit') })
  .min(1, 'must hold read, edit or both')
  .max(words.length, 'must hold read and edit at most once each')
  .transform((input): SuiteAccess[] => words.filter((word) => input.includes(word)));
