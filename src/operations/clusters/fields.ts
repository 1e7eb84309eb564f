import { limits } from '../../domain/limits.js';
import { settingFields } from '../pipelines/fields.js';
import { filledText, text } from '../text.js';

/** What is said of a cluster when it is made and later (rest-facts 3.6). */
export const clusterName = filledText(limits.nameLength);
export const clusterFields = {
  description: text(limits.descriptionLength).nullish(),
  emoji: settingFields.emoji,
  color: settingFields.color,
};

export const taken = 'has already been taken';
