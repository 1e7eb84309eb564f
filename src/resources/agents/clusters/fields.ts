import { limits } from '../../../domain/limits/limits.js';
import { settingFields } from '../../pipelines/fields.js';
import { filledText, text } from '../../../domain/input-text.js';

/** Fields of a cluster in create and update. */
export const clusterName = filledText(limits.nameLength);
export const clusterFields = {
  description: text(limits.descriptionLength).nullish(),
  emoji: settingFields.emoji,
  color: settingFields.color,
};

export const taken = 'has already been taken';
