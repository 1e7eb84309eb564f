import type { Json, JsonObject } from '../../pipelines/steps/step.js';
import { parseRepositoryUrl } from '../../pipelines/repository-url.js';
import { at, flagAt, idAt, isNoCommit, namesAt, objectsAt, personAt, readRef, textAt } from './payload.js';
import { bareEvent, type Person, type ProviderEvent, type PullRequestFacts } from './provider-event.js';

/**
 * Reads a delivery of a service hook of Azure DevOps; its body names the event. A push may move several branches and
 * tags at once.
 */
export function readAzureDevops(name: string, payload: JsonObject): ProviderEvent[] {
  const resource = at(payload, 'resource');
  const event = bareEvent('azure_devops', 'other', name, null, repositoryOf(at(resource, 'repository')));
  if (name === 'git.push') {
    const updates = objectsAt(resource, 'refUpdates').map((update) => readUpdate(event, update, resource));
    // A subscription may send no details of the resource: the push is one without branch and commit.
    return updates.length > 0 ? updates : [{ ...event, kind: 'branch_push' }];
  }
  return name.startsWith('git.pullrequest.')
    ? [readPullRequest(event, name.slice('git.pullrequest.'.length), resource)]
    : [event];
}

/** `organization/project/_git/name`, the path of the repository's URL; `project/name` without a URL. */
function repositoryOf(repository: Json): string | null {
  const url = textAt(repository, 'remoteUrl');
  const path = url === null ? null : (parseRepositoryUrl(url)?.path ?? null);
  const name = textAt(repository, 'name');
  const project = textAt(repository, 'project', 'name');
  return path ?? (name === null || project === null ? null : `${project}/${name}`);
}

function readUpdate(event: ProviderEvent, update: JsonObject, resource: Json): ProviderEvent {
  const { branch, tag } = readRef(textAt(update, 'name'));
  if (branch === null && tag === null) return event;
  const what = branch !== null ? 'branch' : 'tag';
  const commit = textAt(update, 'newObjectId');
  if (isNoCommit(commit)) return { ...event, kind: `${what}_delete`, branch, tag };
  const head = objectsAt(resource, 'commits').find((each) => textAt(each, 'commitId') === commit) ?? null;
  return {
    ...event,
    kind: `${what}_push`,
    branch,
    tag,
    commit,
    message: textAt(head, 'comment'),
    author: personAt(head, 'author') ?? personOf(at(resource, 'pushedBy')),
  };
}

/** A person of the installation: `uniqueName` is mostly an e-mail address, and `DOMAIN\name` on a server. */
function personOf(user: Json): Person | null {
  const username = textAt(user, 'uniqueName');
  const name = textAt(user, 'displayName') ?? username;
  return name === null ? null : { name, email: username?.includes('@') ? username : null, username };
}

/** One word of Azure DevOps for several changes: only the status says which pull requests are closed. */
function actionOf(word: string, status: string | null): string {
  if (status === 'completed' || status === 'abandoned') return 'closed';
  if (word === 'created') return 'opened';
  // New commits, but also votes and reviewers: `existing_commits` stops those, which bring no commit.
  if (word === 'updated') return 'synchronize';
  return word === 'merged' ? 'merge_attempted' : word;
}

function readPullRequest(event: ProviderEvent, word: string, resource: Json): ProviderEvent {
  const number = idAt(resource, 'pullRequestId');
  if (number === null) return event;
  const status = textAt(resource, 'status');
  const pullRequest = pullRequestOf(number, resource, status);
  return {
    ...event,
    kind: 'pull_request',
    action: actionOf(word, status),
    branch: pullRequest.branch,
    commit: pullRequest.commit,
    message: textAt(resource, 'lastMergeSourceCommit', 'comment') ?? pullRequest.title,
    author: personOf(at(resource, 'createdBy')),
    pullRequest,
  };
}

function pullRequestOf(number: string, resource: Json, status: string | null): PullRequestFacts {
  const fork = at(resource, 'forkSource', 'repository');
  const head = fork ?? at(resource, 'repository');
  const headRepository = repositoryOf(head);
  return {
    number,
    title: textAt(resource, 'title'),
    branch: readRef(textAt(resource, 'sourceRefName')).branch,
    baseBranch: readRef(textAt(resource, 'targetRefName')).branch,
    commit: textAt(resource, 'lastMergeSourceCommit', 'commitId'),
    headRepository,
    headOwner: fork === null ? null : (textAt(fork, 'project', 'name') ?? headRepository),
    headRepositoryUrl: textAt(head, 'remoteUrl'),
    fork: fork !== null,
    draft: flagAt(resource, 'isDraft'),
    labels: namesAt(resource, 'name', 'labels'),
    label: null,
    closed: status === 'completed' || status === 'abandoned',
    baseChanged: false,
  };
}
