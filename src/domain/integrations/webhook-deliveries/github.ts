import type { JsonObject } from '../../pipelines/steps/step.js';
import { readPullRequest } from './github-pull-request.js';
import { at, flagAt, idAt, isNoCommit, objectsAt, personAt, readRef, textAt } from './payload.js';
import { bareEvent, type DeliverySender, type ProviderEvent } from './provider-event.js';

type Reader = (event: ProviderEvent, payload: JsonObject) => ProviderEvent;

/** A GitHub or GitHub Enterprise Server delivery; `name` is the `X-GitHub-Event` header. */
export function readGithub(name: string, payload: JsonObject): ProviderEvent {
  const event = bareEvent(
    'github',
    'other',
    name,
    textAt(payload, 'action'),
    textAt(payload, 'repository', 'full_name'),
  );
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return reader ? reader(event, payload) : event;
}

/** Reads a push of one ref in the format of GitHub, Gitea and Gogs: the head commit has message and author. */
export function readPush(event: ProviderEvent, payload: JsonObject): ProviderEvent {
  const { branch, tag } = readRef(textAt(payload, 'ref'));
  const after = textAt(payload, 'after');
  const deleted = flagAt(payload, 'deleted') ?? isNoCommit(after);
  if (branch === null && tag === null) return event;
  const what = branch !== null ? 'branch' : 'tag';
  if (deleted) return { ...event, kind: `${what}_delete`, branch, tag };
  const head =
    at(payload, 'head_commit') ??
    objectsAt(payload, 'commits').find((commit) => textAt(commit, 'id') === after) ??
    null;
  // An annotated tag has a different id from its commit, and the commit is built.
  const commit = textAt(head, 'id') ?? after;
  return {
    ...event,
    kind: `${what}_push`,
    branch,
    tag,
    commit,
    message: textAt(head, 'message'),
    author: personAt(head, 'author'),
  };
}

const withPullRequest: Reader = (event, payload) => {
  const { pullRequest, author } = readPullRequest(payload, event.sender);
  if (pullRequest === null) return event;
  return {
    ...event,
    branch: pullRequest.branch,
    commit: pullRequest.commit,
    message: pullRequest.title,
    author,
    pullRequest,
  };
};

/** Text of a comment, and whether its author may act for the repository. */
function readComment(payload: JsonObject): ProviderEvent['comment'] {
  const trusted = ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(textAt(payload, 'comment', 'author_association') ?? '');
  return { text: textAt(payload, 'comment', 'body') ?? '', trusted };
}

/** Returns variables with the given names; leaves out values that the payload lacks. */
function variables(values: Record<string, string | boolean | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

function deploymentFacts(event: ProviderEvent, payload: JsonObject): ProviderEvent {
  const deployment = at(payload, 'deployment');
  const payloadValue = at(deployment, 'payload');
  const environment = textAt(deployment, 'environment');
  return {
    ...event,
    branch: textAt(deployment, 'ref'),
    commit: textAt(deployment, 'sha'),
    message:
      textAt(deployment, 'description') ?? (environment === null ? 'Deployment' : `Deployment to ${environment}`),
    variables: variables({
      DEPLOYMENT_ID: idAt(deployment, 'id'),
      DEPLOYMENT_ENVIRONMENT: environment,
      DEPLOYMENT_TASK: textAt(deployment, 'task'),
      DEPLOYMENT_PAYLOAD:
        typeof payloadValue === 'string' || payloadValue === null ? payloadValue : JSON.stringify(payloadValue),
    }),
  };
}

/** Gitea's words for actions that GitHub names otherwise. */
const giteaActions: ReadonlyMap<string | null, string> = new Map([
  ['synchronized', 'synchronize'],
  ['label_updated', 'labeled'],
]);

const readers: Readonly<Record<string, Reader>> = {
  ping: (event) => ({ ...event, kind: 'ping' }),
  push: readPush,
  pull_request: (event, payload) => ({ ...withPullRequest(event, payload), kind: 'pull_request' }),
  pull_request_review: (event, payload) => ({
    ...withPullRequest(event, payload),
    kind: 'pull_request_review',
    variables: variables({
      REVIEW_ID: idAt(payload, 'review', 'id'),
      REVIEW_STATE: textAt(payload, 'review', 'state'),
    }),
  }),
  pull_request_review_comment: (event, payload) => ({
    ...withPullRequest(event, payload),
    kind: 'pull_request_review_comment',
    comment: readComment(payload),
    variables: variables({ COMMENT_ID: idAt(payload, 'comment', 'id') }),
  }),
  issue_comment: (event, payload) => ({
    ...event,
    kind: 'issue_comment',
    // The payload has the pull request's number only; the rest comes from earlier deliveries.
    pullRequest:
      at(payload, 'issue', 'pull_request') === null
        ? null
        : readPullRequest({ pull_request: at(payload, 'issue') }, event.sender).pullRequest,
    comment: readComment(payload),
    variables: variables({ COMMENT_ID: idAt(payload, 'comment', 'id') }),
  }),
  merge_group: (event, payload) => {
    const group = at(payload, 'merge_group');
    return {
      ...event,
      kind: 'merge_group',
      branch: readRef(textAt(group, 'head_ref')).branch,
      commit: textAt(group, 'head_sha'),
      message: textAt(group, 'head_commit', 'message'),
      author: personAt(group, 'head_commit', 'author'),
      mergeQueue: {
        baseBranch: readRef(textAt(group, 'base_ref')).branch,
        baseCommit: textAt(group, 'base_sha'),
        endReason: textAt(payload, 'reason'),
      },
    };
  },
  deployment: (event, payload) => ({ ...deploymentFacts(event, payload), kind: 'deployment' }),
  deployment_status: (event, payload) => {
    const deployment = deploymentFacts(event, payload);
    const status = at(payload, 'deployment_status');
    return {
      ...deployment,
      kind: 'deployment_status',
      variables: {
        ...deployment.variables,
        ...variables({
          DEPLOYMENT_STATUS_STATE: textAt(status, 'state'),
          DEPLOYMENT_STATUS_ENVIRONMENT: textAt(status, 'environment'),
        }),
      },
    };
  },
  fork: (event, payload) => {
    const forkee = textAt(payload, 'forkee', 'full_name');
    return {
      ...event,
      kind: 'fork',
      branch: textAt(payload, 'forkee', 'default_branch') ?? textAt(payload, 'repository', 'default_branch'),
      commit: 'HEAD',
      message: forkee === null ? 'Forked' : `Forked to ${forkee}`,
    };
  },
  release: (event, payload) => {
    const release = at(payload, 'release');
    const tag = textAt(release, 'tag_name');
    return {
      ...event,
      kind: 'release',
      tag,
      // A release names its tag, not the commit; any name of a commit can be built.
      commit: tag,
      message: textAt(release, 'name') ?? tag,
      author: login(textAt(release, 'author', 'login')),
      variables: variables({
        RELEASE_TAG: tag,
        RELEASE_DRAFT: flagAt(release, 'draft'),
        RELEASE_PRERELEASE: flagAt(release, 'prerelease'),
      }),
    };
  },
  check_run: (event, payload) => {
    const run = at(payload, 'check_run');
    return {
      ...event,
      kind: 'check_run',
      checkId: textAt(run, 'external_id'),
      branch: textAt(run, 'check_suite', 'head_branch'),
      commit: textAt(run, 'head_sha'),
      message: textAt(run, 'name'),
      variables: variables({ CHECK_RUN_NAME: textAt(run, 'name'), CHECK_RUN_CONCLUSION: textAt(run, 'conclusion') }),
    };
  },
  check_suite: (event, payload) =>
    // Every push requests a suite, and the runs in it complete it: only a person requests one again.
    event.action === 'rerequested'
      ? {
          ...event,
          kind: 'check_suite',
          branch: textAt(payload, 'check_suite', 'head_branch'),
          commit: textAt(payload, 'check_suite', 'head_sha'),
        }
      : event,
  create: (event, payload) => {
    const name = textAt(payload, 'ref');
    const created = textAt(payload, 'ref_type');
    if (created !== 'branch' && created !== 'tag') return event;
    return {
      ...event,
      kind: 'ref_create',
      branch: created === 'branch' ? name : null,
      tag: created === 'tag' ? name : null,
      commit: created === 'tag' ? name : 'HEAD',
      message: `Created ${created} ${name ?? ''}`.trim(),
    };
  },
};

function login(username: string | null) {
  return username === null ? null : { name: username, email: null, username };
}

/** Reads deliveries of Gitea, Forgejo and Gogs, which use GitHub's format with some different names. */
export function readGitea(sender: DeliverySender, name: string, payload: JsonObject): ProviderEvent {
  const event = bareEvent(sender, 'other', name, textAt(payload, 'action'), textAt(payload, 'repository', 'full_name'));
  if (name === 'push') return readPush(event, payload);
  if (name !== 'pull_request') return event;
  const action = giteaActions.get(event.action) ?? event.action;
  return { ...withPullRequest(event, payload), kind: 'pull_request', action };
}
