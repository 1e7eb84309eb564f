import { limits } from '../../domain/limits.js';
import { filledText, oneOf, text } from '../text.js';

/** A queue's key: what jobs and agents name it by, so that it must stand in `queue=<key>` (rest-facts 3.6). */
export const queueKey = filledText(limits.slugLength).regex(/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?$/i, 'may hold letters, digits, hyphens and underscores only, and begins and ends with none of the hyphens');

export const queueFields = {
  description: text(limits.descriptionLength).nullish(),
  retryAgentAffinity: oneOf(['prefer-warmest', 'prefer-different']).nullish(),
};
