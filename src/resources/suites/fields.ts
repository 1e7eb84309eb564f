import { limits } from '../../domain/limits/limits.js';
import { filledText, flag, text } from '../../domain/input-text.js';

/** Blank text clears a field, as null does. */
const orNull = (value: string) => (value === '' ? null : value);

/** Fields of a suite in create and update. */
export const suiteName = filledText(limits.nameLength);
export const suiteBranch = filledText(limits.branchLength);
export const suiteFields = {
  applicationName: text(limits.nameLength).transform(orNull).nullish(),
  color: text(20)
    .regex(/^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}))?$/i, 'must be a color such as #1a2b3c')
    .transform(orNull)
    .nullish(),
  emoji: text(limits.labelLength).nullish(),
  /** Show the upload token in the reply. */
  showApiToken: flag.nullish(),
};
