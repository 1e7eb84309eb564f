import { integer, object, text, word } from './schema.js';

/** A refusal of too many requests (rest-facts 1.5). */
export const rateLimitedReply = object({ message: text(), scope: word('rest', 'rest_user'), limit: integer(), current: integer(), reset: integer() });
