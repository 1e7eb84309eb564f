import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { PlannedStatus } from '../../../operations/builds/commit-statuses/preview.js';
import { enumOf, nullable, text } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

/** A commit status that a build would send. */
export const plannedStatusResource = resource<PlannedStatus>({
  context: field(text, 'Name under which the provider would keep it.', ({ context }) => context),
  commit: field(text, 'Commit that would have the status.', ({ commit }) => commit),
  state: field(
    enumOf('pending', 'success', 'failure', 'error'),
    'State of the status in the words of GitHub; other providers get theirs.',
    ({ state }) => state,
  ),
  description: field(text, 'Line that the provider would show.', ({ description }) => description),
  error: field(
    nullable(text),
    'Reason why it would not be sent; null for one that would be.',
    ({ problem }) => problem,
  ),
});

export const presentPlannedStatus = (_context: Context, status: PlannedStatus): Promise<JsonObject> =>
  plannedStatusResource.present(status);
