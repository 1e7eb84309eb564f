import { artifactStates } from '../../domain/artifact-state.js';
import { integer, object, orNull, text, url, uuid, word } from './schema.js';

export const artifactReply = object({
  id: uuid(), job_id: uuid(), url: url(), download_url: url(), state: word(...artifactStates), path: text(), dirname: text(), filename: text(), mime_type: text(),
  file_size: integer(), glob_path: orNull(text()), original_path: orNull(text()), sha1sum: text(),
});

/** The body beside a redirection. */
export const linkReply = object({ url: url() });
