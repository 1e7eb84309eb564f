import type { TestOwnershipRow } from '../../../entities/database.js';
import { formatTime } from '../../../domain/time.js';
import { text, time } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

/** The TESTOWNERS file of a suite. */
export const testOwnershipResource = resource<TestOwnershipRow>({
  content: field(text, 'The file as it was sent.', ({ content }) => content),
  stored_at: field(time, 'Time the file was sent.', ({ storedAt }) => formatTime(storedAt)),
});
