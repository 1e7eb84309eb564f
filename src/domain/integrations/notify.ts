import type { Json, JsonObject } from '../pipelines/steps/step.js';
import { type CheckOutput, readCheckOutput } from './check-run.js';

/** A commit status a pipeline asks for with `notify`. */
export interface CommitStatusRequest {
  context: string | null;
  blockedAsPending: boolean;
  condition: string | null;
}

/** A check run that a pipeline asks for with `notify`. */
export interface CheckRequest {
  name: string | null;
  output: CheckOutput;
  condition: string | null;
}

export interface NotifyRequests {
  commitStatuses: CommitStatusRequest[];
  checks: CheckRequest[];
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Entries of a `notify` list that ask for commit statuses and check runs; messages are `notify-entries.ts`. */
export function notifyRequests(notify: readonly Json[]): NotifyRequests {
  const requests: NotifyRequests = { commitStatuses: [], checks: [] };
  for (const entry of notify) {
    if (entry === 'github_commit_status')
      requests.commitStatuses.push({ context: null, blockedAsPending: false, condition: null });
    if (entry === 'github_check')
      requests.checks.push({ name: null, output: readCheckOutput(undefined), condition: null });
    if (!isObject(entry)) continue;
    const condition = textOf(entry['if']);
    if ('github_check' in entry) {
      const check = isObject(entry['github_check']) ? entry['github_check'] : {};
      requests.checks.push({ name: textOf(check['name']), output: readCheckOutput(check['output']), condition });
    }
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
