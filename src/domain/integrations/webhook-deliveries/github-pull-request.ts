import type { Json, JsonObject } from '../../pipelines/steps/step.js';
import { at, flagAt, idAt, namesAt, textAt } from './payload.js';
import type { DeliverySender, Person, PullRequestFacts } from './provider-event.js';

/** The `pull_request` of a GitHub, Gitea or Gogs payload; Gogs writes head and base flat. */
export function readPullRequest(
  payload: JsonObject,
  sender: DeliverySender,
): { pullRequest: PullRequestFacts | null; author: Person | null } {
  const pull = at(payload, 'pull_request');
  const number = idAt(pull, 'number') ?? (pull === null ? null : idAt(payload, 'number'));
  if (number === null) return { pullRequest: null, author: null };
  const head = at(pull, 'head', 'repo') ?? at(pull, 'head_repo');
  const headRepository = textAt(head, 'full_name');
  const baseRepository =
    textAt(pull, 'base', 'repo', 'full_name') ??
    textAt(pull, 'base_repo', 'full_name') ??
    textAt(payload, 'repository', 'full_name');
  const headOwner = textAt(pull, 'head', 'user', 'login') ?? headRepository?.split('/')[0] ?? null;
  return {
    pullRequest: {
      number,
      title: textAt(pull, 'title'),
      branch: textAt(pull, 'head', 'ref') ?? textAt(pull, 'head_branch'),
      baseBranch: textAt(pull, 'base', 'ref') ?? textAt(pull, 'base_branch'),
      commit: textAt(pull, 'head', 'sha'),
      headRepository,
      headOwner,
      headRepositoryUrl: textAt(head, 'clone_url'),
      fork: isFork(pull, headRepository, baseRepository),
      draft: flagAt(pull, 'draft'),
      labels: namesAt(pull, 'name', 'labels'),
      label: textAt(payload, 'label', 'name'),
      closed: textAt(pull, 'state') === 'closed',
      baseChanged: at(payload, 'changes', 'base') !== null,
    },
    author: personOf(at(pull, 'user'), sender),
  };
}

/** Whether the head is in another repository than the base, or was deleted since: no push reports its commits. */
function isFork(pull: Json, head: string | null, base: string | null): boolean {
  if (head !== null) return base !== null && head !== base;
  return at(pull, 'head') !== null;
}

/** Gitea sends e-mail addresses of its users; GitHub does not. */
function personOf(user: Json, sender: DeliverySender): Person | null {
  const username = textAt(user, 'login');
  if (username === null) return null;
  return {
    name: textAt(user, 'full_name') ?? username,
    email: sender === 'github' ? null : textAt(user, 'email'),
    username,
  };
}
