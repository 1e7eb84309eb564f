import { limits } from '../../domain/limits.js';
import { filledText, flag, text } from '../text.js';

/** What a suite is made of, in create and update (rest-facts 3.8). */
export const suiteName = filledText(limits.nameLength);
export const suiteBranch = filledText(limits.branchLength);
export const suiteFields = {
  applicationName: text(limits.nameLength).nullish(),
  color: text(20).regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a color such as #1a2b3c').nullish(),
  emoji: text(limits.labelLength).nullish(),
  /** Show the upload token in the answer. */
  showApiToken: flag.nullish(),
};
