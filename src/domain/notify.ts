import type { Json, JsonObject } from './steps/step.js';

/** A commit status a pipeline asks for with `notify` (rest-facts 6.2). */
export interface CommitStatusRequest {
  context: string | null;
  blockedAsPending: boolean;
  condition: string | null;
}

/** A URL a pipeline asks to be told at with `notify: - webhook:`. */
export interface WebhookRequest {
  url: string;
  condition: string | null;
}

export interface NotifyRequests {
  webhooks: WebhookRequest[];
  commitStatuses: CommitStatusRequest[];
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * What Slipway itself does of a `notify` list: webhooks and commit statuses. Entries of other kinds (e-mail, chat,
 * pagers) are kept in the pipeline and acted on by nobody: they are reached through webhooks (docs/notifications.md).
 */
export function notifyRequests(notify: readonly Json[]): NotifyRequests {
  const requests: NotifyRequests = { webhooks: [], commitStatuses: [] };
  for (const entry of notify) {
    if (entry === 'github_commit_status') requests.commitStatuses.push({ context: null, blockedAsPending: false, condition: null });
    if (!isObject(entry)) continue;
    const condition = textOf(entry['if']);
    const url = textOf(entry['webhook']);
    if (url !== null) requests.webhooks.push({ url, condition });
    if (!('github_commit_status' in entry)) continue;
    const settings = entry['github_commit_status'];
    const fields = isObject(settings) ? settings : {};
    requests.commitStatuses.push({ context: textOf(fields['context']), blockedAsPending: fields['blocked_builds_as_pending'] === true, condition });
  }
  return requests;
}
