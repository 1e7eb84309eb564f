import type { JsonObject } from '../../pipelines/steps/step.js';
import { at, flagAt, idAt, isNoCommit, namesAt, objectsAt, personAt, readRef, textAt } from './payload.js';
import { bareEvent, type ProviderEvent } from './provider-event.js';

/** Reads a GitLab delivery; the payload's `object_kind` names the event, also in deliveries of system hooks. */
export function readGitlab(name: string, payload: JsonObject): ProviderEvent {
  const repository = textAt(payload, 'project', 'path_with_namespace');
  const event = bareEvent('gitlab', 'other', name, textAt(payload, 'object_attributes', 'action'), repository);
  const kind = textAt(payload, 'object_kind');
  if (kind === 'push' || kind === 'tag_push') return readPush(event, payload);
  if (kind === 'pipeline') return readPipeline(event, payload);
  return kind === 'merge_request' ? readMergeRequest(event, payload) : event;
}

function readPush(event: ProviderEvent, payload: JsonObject): ProviderEvent {
  const { branch, tag } = readRef(textAt(payload, 'ref'));
  if (branch === null && tag === null) return event;
  const what = branch !== null ? 'branch' : 'tag';
  const after = textAt(payload, 'after');
  if (isNoCommit(after)) return { ...event, kind: `${what}_delete`, branch, tag };
  const commit = textAt(payload, 'checkout_sha') ?? after;
  const commits = objectsAt(payload, 'commits');
  const head = commits.find((each) => textAt(each, 'id') === commit) ?? null;
  return {
    ...event,
    kind: `${what}_push`,
    branch,
    tag,
    commit,
    message: textAt(head, 'message') ?? textAt(payload, 'message'),
    author: personAt(head, 'author'),
  };
}

const actions: Readonly<Record<string, string>> = {
  open: 'opened',
  reopen: 'reopened',
  close: 'closed',
  merge: 'closed',
};

function readMergeRequest(event: ProviderEvent, payload: JsonObject): ProviderEvent {
  const request = at(payload, 'object_attributes');
  const number = idAt(request, 'iid');
  if (number === null) return event;
  const head = textAt(request, 'source', 'path_with_namespace');
  const branch = textAt(request, 'source_branch');
  const commit = textAt(request, 'last_commit', 'id');
  const title = textAt(request, 'title');
  return {
    ...event,
    kind: 'pull_request',
    action: action(event.action, payload),
    branch,
    commit,
    message: textAt(request, 'last_commit', 'message') ?? title,
    author: personAt(request, 'last_commit', 'author'),
    pullRequest: {
      number,
      title,
      branch,
      baseBranch: textAt(request, 'target_branch'),
      commit,
      headRepository: head,
      headOwner: head?.split('/').slice(0, -1).join('/') ?? null,
      headRepositoryUrl: textAt(request, 'source', 'git_http_url') ?? textAt(request, 'source', 'http_url'),
      fork: idAt(request, 'source_project_id') !== idAt(request, 'target_project_id'),
      draft: flagAt(request, 'draft') ?? flagAt(request, 'work_in_progress'),
      labels: namesAt(payload, 'title', 'labels'),
      label: null,
      closed: ['closed', 'merged'].includes(textAt(request, 'state') ?? ''),
      baseChanged: at(payload, 'changes', 'target_branch') !== null,
    },
  };
}

/** An update with `oldrev` brings commits; without it, the merge request was edited. */
function action(word: string | null, payload: JsonObject): string | null {
  if (word === 'update') {
    if (textAt(payload, 'object_attributes', 'oldrev') !== null) return 'synchronize';
    return at(payload, 'changes', 'labels') === null ? 'edited' : 'labeled';
  }
  return word !== null && Object.hasOwn(actions, word) ? (actions[word] ?? word) : word;
}

/**
 * A pipeline of a merge request. It tells of commits that no push does: of the merged result of a merge request and its
 * base, and of one in a merge train. Pipelines of pushes say nothing that the push does not.
 */
function readPipeline(event: ProviderEvent, payload: JsonObject): ProviderEvent {
  const pipeline = at(payload, 'object_attributes');
  const request = at(payload, 'merge_request');
  const number = idAt(request, 'iid');
  const commit = textAt(pipeline, 'sha');
  if (textAt(pipeline, 'source') !== 'merge_request_event' || number === null || commit === null) return event;
  // Some versions name the ref of the pipeline here, others the branch of the merge request.
  const ref = textAt(pipeline, 'ref');
  const [, purpose = null] = /^refs\/merge-requests\/\d+\/(head|merge|train)$/.exec(ref ?? '') ?? [];
  const branch = textAt(request, 'source_branch');
  const baseBranch = textAt(request, 'target_branch');
  const fork = idAt(request, 'source_project_id') !== idAt(request, 'target_project_id');
  const title = textAt(request, 'title');
  return {
    ...event,
    kind: 'merged_result',
    action: textAt(pipeline, 'status'),
    branch,
    commit,
    message: textAt(payload, 'commit', 'message') ?? title,
    author: personAt(payload, 'commit', 'author'),
    refspec: purpose === null ? commit : ref,
    mergeQueue: purpose === 'train' ? { baseBranch, baseCommit: null, endReason: null } : null,
    pullRequest: {
      number,
      title,
      branch,
      baseBranch,
      commit,
      headRepository: null,
      headOwner: null,
      headRepositoryUrl: null,
      fork,
      draft: null,
      labels: [],
      label: null,
      closed: ['closed', 'merged'].includes(textAt(request, 'state') ?? ''),
      baseChanged: false,
    },
  };
}
