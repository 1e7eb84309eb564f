import { annotationScopes, annotationStyles } from '../../domain/annotations/annotation.js';
import { integer, object, orNull, text, time, uuid, word } from './schema.js';

/** `body_html` is left out of lists that ask for it (rest-facts 2.4). */
export const annotationReply = object(
  {
    id: uuid(), context: text(), style: word(...annotationStyles), scope: word(...annotationScopes), job_id: orNull(uuid()), priority: integer(),
    created_at: time(), updated_at: time(),
  },
  { body_html: text() },
);
