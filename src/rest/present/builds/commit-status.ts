import type { Context } from '../../../request/context.js';
import { statusDeliveries, statusDelivery } from '../../../domain/integrations/status-delivery.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { CommitStatusRow } from '../../../entities/database.js';
import { enumOf, integer, nullable, text, time } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

/** A commit status of a build, as its provider has or shall have it. */
export const commitStatusResource = resource<CommitStatusRow>({
  context: field(text, 'Name under which the provider keeps it.', ({ context }) => context),
  commit: field(text, 'Commit that has the status.', ({ commit }) => commit),
  state: field(
    enumOf('pending', 'success', 'failure', 'error'),
    'State of the status in the words of GitHub; other providers get theirs.',
    ({ state }) => state,
  ),
  description: field(text, 'Line that the provider shows.', ({ description }) => description),
  delivery: field(
    enumOf(...statusDeliveries),
    'Fate of the status: `waiting` is sent, or sent again, later; `superseded` gave way to that of a newer build.',
    (status) => statusDelivery(status),
  ),
  error: field(
    nullable(text),
    'Words of the provider in its last refusal; null if it did not refuse.',
    ({ lastError }) => lastError,
  ),
  attempts: field(integer, 'Requests that were made for its latest state.', ({ attempts }) => attempts),
  next_attempt_at: field(
    nullable(time),
    'Time of the next request at the earliest; null if there is none to come.',
    ({ nextAttemptAt }) => nextAttemptAt && formatTime(nextAttemptAt),
  ),
  updated_at: field(time, 'Time its state last changed.', ({ updatedAt }) => formatTime(updatedAt)),
});

export const presentCommitStatus = (_context: Context, status: CommitStatusRow): Promise<JsonObject> =>
  commitStatusResource.present(status);
