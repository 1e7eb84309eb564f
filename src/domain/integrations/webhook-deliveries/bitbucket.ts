import type { Json, JsonObject } from '../../pipelines/steps/step.js';
import { at, idAt, objectsAt, textAt } from './payload.js';
import { bareEvent, type Person, type ProviderEvent } from './provider-event.js';

/** A Bitbucket Cloud delivery; a push may move several branches and tags at once. */
export function readBitbucket(name: string, payload: JsonObject): ProviderEvent[] {
  const event = bareEvent('bitbucket', 'other', name, null, textAt(payload, 'repository', 'full_name'));
  if (name === 'repo:push') {
    const changes = objectsAt(payload, 'push', 'changes').map((change) => readChange(event, change));
    return changes.length > 0 ? changes : [event];
  }
  return name.startsWith('pullrequest:')
    ? [readPullRequest(event, name.slice('pullrequest:'.length), payload)]
    : [event];
}

const refTypes: ReadonlyMap<string | null, 'branch' | 'tag'> = new Map([
  ['branch', 'branch'],
  ['named_branch', 'branch'],
  ['tag', 'tag'],
  ['annotated_tag', 'tag'],
]);

function readChange(event: ProviderEvent, change: JsonObject): ProviderEvent {
  const now = at(change, 'new');
  const ref = now ?? at(change, 'old');
  const name = textAt(ref, 'name');
  const type = textAt(ref, 'type');
  const what = refTypes.get(type);
  if (what === undefined || name === null) return event;
  const place = { branch: what === 'branch' ? name : null, tag: what === 'tag' ? name : null };
  if (now === null) return { ...event, kind: `${what}_delete`, ...place };
  const target = at(now, 'target');
  return {
    ...event,
    kind: `${what}_push`,
    ...place,
    commit: textAt(target, 'hash'),
    message: textAt(target, 'message'),
    author: authorOf(at(target, 'author')),
  };
}

/** `Name <address>`, with the account where the commit is of one. */
function authorOf(author: Json): Person | null {
  const raw = textAt(author, 'raw');
  const [, name = '', email = ''] = /^([^<]*)<([^>]*)>/.exec(raw ?? '') ?? [];
  const person = {
    name: name.trim() || textAt(author, 'user', 'display_name') || raw,
    email: email || null,
    username: textAt(author, 'user', 'username') ?? textAt(author, 'user', 'nickname'),
  };
  return person.name === null && person.email === null && person.username === null ? null : person;
}

const actions: Readonly<Record<string, string>> = {
  created: 'opened',
  updated: 'synchronize',
  fulfilled: 'closed',
  rejected: 'closed',
};

function readPullRequest(event: ProviderEvent, word: string, payload: JsonObject): ProviderEvent {
  const pull = at(payload, 'pullrequest');
  const number = idAt(pull, 'id');
  if (number === null) return event;
  const head = textAt(pull, 'source', 'repository', 'full_name');
  const branch = textAt(pull, 'source', 'branch', 'name');
  const commit = textAt(pull, 'source', 'commit', 'hash');
  const title = textAt(pull, 'title');
  const author = at(pull, 'author');
  const username = textAt(author, 'username') ?? textAt(author, 'nickname');
  const name = textAt(author, 'display_name') ?? username;
  return {
    ...event,
    kind: 'pull_request',
    action: Object.hasOwn(actions, word) ? (actions[word] ?? word) : word,
    branch,
    commit,
    message: title,
    author: name === null ? null : { name, email: null, username },
    pullRequest: {
      number,
      title,
      branch,
      baseBranch: textAt(pull, 'destination', 'branch', 'name'),
      commit,
      headRepository: head,
      headOwner: head?.split('/')[0] ?? null,
      headRepositoryUrl: textAt(pull, 'source', 'repository', 'links', 'html', 'href'),
      fork: head !== textAt(pull, 'destination', 'repository', 'full_name'),
      draft: null,
      labels: [],
      label: null,
      closed: ['MERGED', 'DECLINED', 'SUPERSEDED'].includes(textAt(pull, 'state') ?? ''),
      baseChanged: false,
    },
  };
}
