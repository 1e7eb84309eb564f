import type { Json, JsonObject } from '../pipelines/steps/step.js';

/** A commit status a pipeline asks for with `notify`. */
export interface CommitStatusRequest {
  context: string | null;
  blockedAsPending: boolean;
  condition: string | null;
}

/** A webhook URL that a pipeline names with `notify: - webhook:`. */
export interface WebhookRequest {
  url: string;
  condition: string | null;
}

export interface NotifyRequests {
  webhooks: WebhookRequest[];
  commitStatuses: CommitStatusRequest[];
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Entries of a `notify` list that Slipway acts on: webhooks and commit statuses. Entries of other kinds (e-mail, chat,
 * pagers) are stored with the pipeline and have no effect; those services are reached through webhooks
 * (docs/notifications.md).
 */
export function notifyRequests(notify: readonly Json[]): NotifyRequests {
  const requests: NotifyRequests = { webhooks: [], commitStatuses: [] };
  for (const entry of notify) {
    if (entry === 'github_commit_status')
      requests.commitStatuses.push({ context: null, blockedAsPending: false, condition: null });
    if (!isObject(entry)) continue;
    const condition = textOf(entry['if']);
    const url = textOf(entry['webhook']);
    if (url !== null) requests.webhooks.push({ url, condition });
    if (!('github_commit_status' in entry)) continue;
    const settings = entry['github_commit_status'];
    const fields = isObject(settings) ? settings : {};
    requests.commitStatuses.push({
      context: textOf(fields['context']),
      blockedAsPending: fields['blocked_builds_as_pending'] === true,
      condition,
    });
  }
  return requests;
}
