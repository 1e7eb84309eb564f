import type { Json, JsonObject } from '../../pipelines/steps/step.js';
import { at, flagAt, idAt, objectsAt, readRef, textAt } from './payload.js';
import { bareEvent, type Person, type ProviderEvent } from './provider-event.js';

/**
 * Reads a delivery of Bitbucket Server or Data Center. Old versions send no commit message; such a push passes the skip
 * text filter.
 */
export function readBitbucketServer(name: string, payload: JsonObject): ProviderEvent[] {
  const event = bareEvent(
    'bitbucket_server',
    'other',
    name,
    null,
    repositoryOf(at(payload, 'repository')) ?? repositoryOf(at(payload, 'pullRequest', 'toRef', 'repository')),
  );
  if (name === 'diagnostics:ping') return [{ ...event, kind: 'ping' }];
  if (name === 'repo:refs_changed') {
    const changes = objectsAt(payload, 'changes').map((change) => readChange(event, change, payload));
    return changes.length > 0 ? changes : [event];
  }
  return name.startsWith('pr:') ? [readPullRequest(event, name.slice('pr:'.length), payload)] : [event];
}

const repositoryOf = (repository: Json): string | null => {
  const slug = textAt(repository, 'slug');
  const project = textAt(repository, 'project', 'key');
  return slug === null || project === null ? null : `${project}/${slug}`;
};

function readChange(event: ProviderEvent, change: JsonObject, payload: JsonObject): ProviderEvent {
  const { branch, tag } = readRef(textAt(change, 'refId') ?? textAt(change, 'ref', 'id'));
  if (branch === null && tag === null) return event;
  const what = branch !== null ? 'branch' : 'tag';
  if (textAt(change, 'type') === 'DELETE') return { ...event, kind: `${what}_delete`, branch, tag };
  const commit = textAt(change, 'toHash');
  const commits = [at(payload, 'toCommit'), ...objectsAt(payload, 'commits')];
  const head = commits.find((each) => textAt(each, 'id') === commit) ?? null;
  return {
    ...event,
    kind: `${what}_push`,
    branch,
    tag,
    commit,
    message: textAt(head, 'message'),
    author: personOf(at(head, 'author')) ?? personOf(at(payload, 'actor')),
  };
}

function personOf(user: Json): Person | null {
  const username = textAt(user, 'name');
  const name = textAt(user, 'displayName') ?? username;
  return name === null ? null : { name, email: textAt(user, 'emailAddress'), username };
}

const actions: Readonly<Record<string, string>> = {
  from_ref_updated: 'synchronize',
  modified: 'edited',
  merged: 'closed',
  declined: 'closed',
  deleted: 'closed',
};

function readPullRequest(event: ProviderEvent, word: string, payload: JsonObject): ProviderEvent {
  const pull = at(payload, 'pullRequest');
  const number = idAt(pull, 'id');
  if (number === null) return event;
  const head = repositoryOf(at(pull, 'fromRef', 'repository'));
  const branch = readRef(textAt(pull, 'fromRef', 'id')).branch ?? textAt(pull, 'fromRef', 'displayId');
  const base = readRef(textAt(pull, 'toRef', 'id')).branch ?? textAt(pull, 'toRef', 'displayId');
  const commit = textAt(pull, 'fromRef', 'latestCommit');
  const title = textAt(pull, 'title');
  return {
    ...event,
    kind: 'pull_request',
    action: Object.hasOwn(actions, word) ? (actions[word] ?? word) : word,
    branch,
    commit,
    message: title,
    author: personOf(at(pull, 'author', 'user')),
    pullRequest: {
      number,
      title,
      branch,
      baseBranch: base,
      commit,
      headRepository: head,
      headOwner: textAt(pull, 'fromRef', 'repository', 'project', 'key'),
      headRepositoryUrl: cloneUrl(at(pull, 'fromRef', 'repository')),
      fork: head !== repositoryOf(at(pull, 'toRef', 'repository')),
      draft: flagAt(pull, 'draft'),
      labels: [],
      label: null,
      closed: textAt(pull, 'state') !== 'OPEN',
      baseChanged: at(payload, 'previousTarget') !== null && textAt(payload, 'previousTarget', 'displayId') !== base,
    },
  };
}

function cloneUrl(repository: Json): string | null {
  const links = objectsAt(repository, 'links', 'clone');
  return textAt(links.find((link) => textAt(link, 'name') === 'http') ?? links[0], 'href');
}
