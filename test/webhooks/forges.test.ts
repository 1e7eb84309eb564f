import { createHmac } from 'node:crypto';
import express, { type Express } from 'express';
import type { PipelineRow } from '../../src/entities/database.js';
import { webhookTokenOf } from '../../src/resources/pipelines/url-token.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { BothSurfaces, type Data } from '../support/both-surfaces.js';
import { requestsTo } from '../support/requests.js';
import { runUntilIdle } from '../support/run-until-idle.js';

const sha = (letter: string) => letter.repeat(40);
const secret = 'a secret of deliveries';
const hmac = (body: string) => createHmac('sha256', secret).update(body).digest('hex');

/** The headers of one delivery of Gitea: its own, and copies in the words of Gogs and GitHub. */
const giteaHeaders = (event: string, id: string, body: string) => ({
  'X-Gitea-Delivery': id,
  'X-Gitea-Event': event,
  'X-Gitea-Event-Type': event,
  'X-Gitea-Signature': hmac(body),
  'X-Gogs-Delivery': id,
  'X-Gogs-Event': event,
  'X-Gogs-Event-Type': event,
  'X-Gogs-Signature': hmac(body),
  'X-Hub-Signature': `sha1=${sha('0')}`,
  'X-Hub-Signature-256': `sha256=${hmac(body)}`,
  'X-GitHub-Delivery': id,
  'X-GitHub-Event': event,
  'X-GitHub-Event-Type': event,
});
const forgejoHeaders = (event: string, id: string, body: string) => ({
  ...giteaHeaders(event, id, body),
  'X-Forgejo-Delivery': id,
  'X-Forgejo-Event': event,
  'X-Forgejo-Event-Type': event,
  'X-Forgejo-Signature': hmac(body),
});

const giteaRepository = {
  full_name: 'acme/app',
  clone_url: 'https://git.acme.test/acme/app.git',
  html_url: 'https://git.acme.test/acme/app',
  default_branch: 'main',
  private: true,
};
const giteaPush = (letter: string) => ({
  ref: 'refs/heads/main',
  before: sha('0'),
  after: sha(letter),
  commits: [{ id: sha(letter), message: 'work', author: { name: 'Ada', email: 'ada@example.com', username: 'ada' } }],
  total_commits: 1,
  head_commit: { id: sha(letter), message: 'work', author: { name: 'Ada', email: 'ada@example.com', username: 'ada' } },
  repository: giteaRepository,
  pusher: { login: 'ada' },
});
const giteaPull = (action: string, letter: string) => ({
  action,
  number: 3,
  pull_request: {
    number: 3,
    title: 'A change',
    state: 'open',
    draft: false,
    labels: [{ name: 'bug' }],
    user: { login: 'ada', full_name: 'Ada', email: 'ada@example.com' },
    head: { ref: 'feature', sha: sha(letter), repo: giteaRepository },
    base: { ref: 'main', sha: sha('0'), repo: giteaRepository },
  },
  repository: giteaRepository,
});

const azureRepository = {
  id: '278d5cd2-584d-4b63-824a-2ba458937249',
  name: 'app',
  project: { id: '6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c', name: 'Shop', state: 'wellFormed' },
  defaultBranch: 'refs/heads/main',
  remoteUrl: 'https://dev.azure.com/acme/Shop/_git/app',
};
let azureIds = 0;
const azure = (eventType: string, resource: object) => ({
  subscriptionId: '73dea8ec-2b0c-4ec1-b9ba-9f5dbd0f0a4a',
  notificationId: 1,
  id: `03c164c2-8912-4d5e-8009-3707d5f8${String((azureIds += 1)).padStart(4, '0')}`,
  eventType,
  publisherId: 'tfs',
  resource,
  resourceVersion: '1.0',
  createdDate: '2026-11-26T04:00:00.000Z',
});
const azurePush = (...updates: { name: string; to: string }[]) =>
  azure('git.push', {
    commits: updates.map(({ to }) => ({
      commitId: sha(to),
      author: { name: 'Ada', email: 'ada@example.com', date: '2026-11-26T04:00:00Z' },
      comment: 'work',
    })),
    refUpdates: updates.map(({ name, to }) => ({ name, oldObjectId: sha('0'), newObjectId: sha(to) })),
    repository: azureRepository,
    pushedBy: { displayName: 'Ada', uniqueName: 'ada@example.com' },
    pushId: 14,
  });
const azurePull = (eventType: string, more: object = {}) =>
  azure(eventType, {
    repository: azureRepository,
    pullRequestId: 21,
    status: 'active',
    createdBy: { displayName: 'Ada', uniqueName: 'ada@example.com' },
    title: 'A change',
    sourceRefName: 'refs/heads/feature',
    targetRefName: 'refs/heads/main',
    mergeStatus: 'succeeded',
    isDraft: false,
    lastMergeSourceCommit: { commitId: sha('b') },
    lastMergeTargetCommit: { commitId: sha('0') },
    ...more,
  });

let surfaces: BothSurfaces;
let app: Express;
let pipeline: PipelineRow;

beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  app = express();
  app.use('/webhooks', webhookRouter(surfaces.world.services));
});
afterAll(() => surfaces.close());

const at = () => `/organizations/acme/pipelines/${pipeline.slug}`;
async function pipelineAt(repository: string, providerId: string, settings: Record<string, boolean> = {}) {
  pipeline = await surfaces.world.pipeline('steps:\n  - command: "true"\n', {
    repository,
    providerId,
    providerSettings: { build_branches: true, build_pull_requests: true, ...settings },
  });
  await surfaces.read(['put', `${at()}/webhook/secret`, { secret }]);
}
async function deliver(payload: object, headersOf: (body: string) => Record<string, string>) {
  const body = JSON.stringify(payload);
  const reply = await requestsTo(app)
    .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
    .set(headersOf(body))
    .type('json')
    .send(body);
  await runUntilIdle(surfaces.world.services);
  return { status: reply.status, body: reply.body as Data };
}
const decided = (id: string) => surfaces.read(['get', `${at()}/deliveries/${id}`]);
const builds = () =>
  surfaces.world.services.db
    .selectFrom('builds')
    .selectAll()
    .where('pipelineId', '=', pipeline.id)
    .orderBy('number')
    .execute();

describe('deliveries of Gitea and Forgejo', () => {
  beforeEach(() => pipelineAt('https://git.acme.test/acme/app.git', 'git'));

  test.each([
    ['gitea', giteaHeaders],
    ['forgejo', forgejoHeaders],
  ])('a delivery of %s is read as its own, whatever copies of other headers it carries', async (sender, headersOf) => {
    const { status, body } = await deliver(giteaPush('a'), (text) => headersOf('push', `${sender}-1`, text));
    expect(status).toBe(202);
    expect(await decided(body.id)).toMatchObject({
      provider: sender,
      delivery_id: `${sender}-1`,
      outcome: 'build',
      decisions: [{ kind: 'branch_push', branch: 'main', commit: sha('a'), repository: 'acme/app' }],
    });
    expect(await builds()).toMatchObject([{ commit: sha('a'), message: 'work', author: { username: 'ada' } }]);
    // Variables of GitHub are for builds of GitHub.
    expect((await builds())[0]?.env).not.toHaveProperty('BUILDKITE_GITHUB_EVENT');
    const again = await deliver(giteaPush('a'), (text) => headersOf('push', `${sender}-1`, text));
    expect([again.status, again.body.id]).toEqual([200, body.id]);
  });

  test.each([
    ['gitea', giteaHeaders],
    ['forgejo', forgejoHeaders],
  ])('a pull request of %s is built when it is opened and when it has new commits', async (sender, headersOf) => {
    for (const [action, letter] of [
      ['opened', 'b'],
      ['synchronized', 'c'],
      ['label_updated', 'c'],
      ['closed', 'c'],
    ] as const)
      await deliver(giteaPull(action, letter), (text) => headersOf('pull_request', `${sender}-${action}`, text));
    expect(
      (await builds()).map(({ commit, pullRequestId, pullRequestLabels }) => [
        commit[0],
        pullRequestId,
        pullRequestLabels,
      ]),
    ).toEqual([
      ['b', '3', ['bug']],
      ['c', '3', ['bug']],
    ]);
  });

  test('a branch is built once whose pull request is delivered before its push', async () => {
    await deliver(giteaPull('opened', 'b'), (text) => giteaHeaders('pull_request', 'first', text));
    const pushed = { ...giteaPush('b'), ref: 'refs/heads/feature' };
    const { body } = await deliver(pushed, (text) => giteaHeaders('push', 'second', text));
    expect(await decided(body.id)).toMatchObject({
      outcome: 'ignore',
      reason: expect.stringMatching(
        /^skip_pull_request_builds_for_existing_commits is on, and build 1 is of this commit/,
      ),
    });
    const next = { ...pushed, after: sha('d'), head_commit: { ...pushed.head_commit, id: sha('d') } };
    await deliver(next, (text) => giteaHeaders('push', 'third', text));
    expect((await builds()).map(({ commit, message }) => [commit[0], message])).toEqual([
      ['b', 'A change'],
      ['d', 'work'],
    ]);
  });

  test('a signature made with another secret is refused', async () => {
    const { status } = await deliver(giteaPush('a'), (text) => ({
      ...forgejoHeaders('push', 'x', text),
      'X-Forgejo-Signature': hmac(`${text} `),
    }));
    expect(status).toBe(401);
  });

  test('an unknown event is stored and explained', async () => {
    const { status, body } = await deliver({ action: 'published', repository: giteaRepository }, (text) =>
      forgejoHeaders('package', 'forgejo-package', text),
    );
    expect(status).toBe(202);
    expect(await decided(body.id)).toMatchObject({
      outcome: 'ignore',
      reason: 'Deliveries of package (published) are not built',
    });
  });
});

describe('deliveries of Azure DevOps', () => {
  const basic = () => ({ Authorization: `Basic ${Buffer.from(`hook:${secret}`).toString('base64')}` });

  beforeEach(() => pipelineAt('https://dev.azure.com/acme/Shop/_git/app', 'git', { build_tags: true }));

  test('a push builds each branch and tag that it moved', async () => {
    const push = azurePush({ name: 'refs/heads/main', to: 'a' }, { name: 'refs/tags/v1', to: 'b' });
    const { status, body } = await deliver(push, basic);
    expect(status).toBe(202);
    expect(await decided(body.id)).toMatchObject({
      provider: 'azure_devops',
      event: 'git.push',
      delivery_id: push.id,
      outcome: 'build',
      decisions: [
        { kind: 'branch_push', branch: 'main', repository: 'acme/Shop/_git/app', author: { email: 'ada@example.com' } },
        { kind: 'tag_push', tag: 'v1', commit: sha('b') },
      ],
    });
    expect((await builds()).map(({ branch, tag, message }) => [branch, tag, message])).toEqual([
      ['main', null, 'work'],
      ['v1', 'v1', 'work'],
    ]);
    expect((await deliver(push, basic)).status).toBe(200);
    const removal = await deliver(azurePush({ name: 'refs/heads/main', to: '0' }), basic);
    expect((await decided(removal.body.id)).reason).toBe('Branch main was deleted: there is nothing to build');
  });

  test('a pull request is built when it is created and when it has new commits, and not when it is voted on or completed', async () => {
    const reasons: string[] = [];
    for (const payload of [
      azurePull('git.pullrequest.created'),
      azurePull('git.pullrequest.updated'),
      azurePull('git.pullrequest.updated', { lastMergeSourceCommit: { commitId: sha('c') } }),
      azurePull('git.pullrequest.merged', { lastMergeSourceCommit: { commitId: sha('c') } }),
      azurePull('git.pullrequest.merged', { status: 'completed' }),
      azurePull('git.pullrequest.updated', { status: 'abandoned' }),
      azurePull('git.pullrequest.created', {
        forkSource: { repository: { ...azureRepository, name: 'fork', remoteUrl: 'https://dev.azure.com/x/y/_git/z' } },
      }),
    ])
      reasons.push((await decided((await deliver(payload, basic)).body.id)).reason);
    expect(reasons).toEqual([
      'Build 1 was created',
      expect.stringMatching(/build 1 is of this commit on this branch$/),
      'Build 2 was created',
      'Pull requests are not built when they are merge attempted',
      'The pull request was closed',
      'The pull request was closed',
      expect.stringMatching(/^build_pull_request_forks is off/),
    ]);
    expect(await builds()).toMatchObject([
      { commit: sha('b'), branch: 'feature', pullRequestId: '21', pullRequestBaseBranch: 'main' },
      { commit: sha('c'), branch: 'feature', pullRequestId: '21' },
    ]);
  });

  test('the secret comes as the password of basic authentication or in a header of its own, and nothing else will do', async () => {
    const push = () => azurePush({ name: 'refs/heads/main', to: 'd' });
    const statuses: number[] = [];
    for (const headers of [
      {},
      { Authorization: `Basic ${Buffer.from('hook:another').toString('base64')}` },
      { Authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
      { Authorization: `Bearer ${secret}` },
      { 'X-Slipway-Token': 'another' },
      { 'X-Slipway-Token': secret },
    ] as Record<string, string>[])
      statuses.push((await deliver(push(), () => headers)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 202]);
    const { body } = await deliver(push(), basic);
    expect(JSON.stringify(await decided(body.id))).not.toContain(secret);
  });

  test('another event is explained, a push without details too, and a body that no provider sends is refused', async () => {
    const reasonOf = async (payload: object) => (await decided((await deliver(payload, basic)).body.id)).reason;
    expect(await reasonOf(azure('workitem.created', {}))).toBe('Deliveries of workitem.created are not built');
    expect(await reasonOf(azure('git.push', {}))).toBe('The delivery of git.push names no commit and branch');
    expect((await deliver({ eventType: 'git.push' }, basic)).status).toBe(400);
  });
});

describe('deliveries of Bitbucket Data Center', () => {
  const repository = { slug: 'app', project: { key: 'SHOP' }, links: { clone: [] } };
  const headers = (event: string, id: string) => (body: string) => ({
    'X-Event-Key': event,
    'X-Request-Id': id,
    'X-Hub-Signature': `sha256=${hmac(body)}`,
  });
  const actor = { name: 'ada', displayName: 'Ada', emailAddress: 'ada@example.com' };
  const pull = (letter: string) => ({
    actor,
    pullRequest: {
      id: 5,
      title: 'A change',
      state: 'OPEN',
      author: { user: actor },
      fromRef: { id: 'refs/heads/feature', displayId: 'feature', latestCommit: sha(letter), repository },
      toRef: { id: 'refs/heads/main', displayId: 'main', latestCommit: sha('0'), repository },
    },
  });

  beforeEach(() => pipelineAt('https://bitbucket.acme.test/scm/shop/app.git', 'bitbucket_server'));

  test('moved branches, opened pull requests and their new commits are built; a test of the webhook is known as such', async () => {
    const refs = {
      eventKey: 'repo:refs_changed',
      actor,
      repository,
      changes: [
        {
          ref: { id: 'refs/heads/main' },
          refId: 'refs/heads/main',
          toHash: sha('a'),
          fromHash: sha('0'),
          type: 'UPDATE',
        },
        {
          ref: { id: 'refs/heads/old' },
          refId: 'refs/heads/old',
          toHash: sha('0'),
          fromHash: sha('9'),
          type: 'DELETE',
        },
      ],
    };
    const outcomes: [number, string][] = [];
    for (const [event, payload] of [
      ['repo:refs_changed', refs],
      ['pr:opened', pull('b')],
      ['pr:from_ref_updated', pull('c')],
      ['pr:comment:added', pull('c')],
      ['diagnostics:ping', { test: true }],
    ] as const) {
      const { status, body } = await deliver(payload, headers(event, `dc-${event}`));
      outcomes.push([status, (await decided(body.id)).reason]);
    }
    expect(outcomes).toEqual([
      [202, 'Build 1 was created'],
      [202, 'Build 2 was created'],
      [202, 'Build 3 was created'],
      [202, 'Pull requests are not built when they are comment:added'],
      [202, 'The provider only tested the webhook'],
    ]);
    expect((await builds()).map(({ branch, commit, pullRequestId }) => [branch, commit[0], pullRequestId])).toEqual([
      ['main', 'a', null],
      ['feature', 'b', '5'],
      ['feature', 'c', '5'],
    ]);
    const unsigned = (body: string) => ({ ...headers('pr:opened', 'x')(body), 'X-Hub-Signature': 'sha1=1' });
    expect((await deliver(pull('d'), unsigned)).status).toBe(401);
  });
});

describe('merge queues', () => {
  const branch = 'gh-readonly-queue/main/pr-7-abc';
  const group = (action: string, more: object = {}) => ({
    action,
    merge_group: {
      head_sha: sha('a'),
      head_ref: `refs/heads/${branch}`,
      base_sha: sha('b'),
      base_ref: 'refs/heads/main',
      head_commit: { id: sha('a'), message: 'Merge pull request #7 [skip ci]', author: { name: 'Ada' } },
    },
    repository: { full_name: 'acme/app' },
    ...more,
  });
  const headers = (event: string, id: string) => (body: string) => ({
    'X-GitHub-Event': event,
    'X-GitHub-Delivery': id,
    'X-Hub-Signature-256': `sha256=${hmac(body)}`,
  });

  test('a merge group of GitHub is built once for its checks, against the base that the pipeline chooses, and canceled when it is gone', async () => {
    await pipelineAt('https://github.com/acme/app.git', 'github', {
      build_merge_group_checks_requested: true,
      cancel_when_merge_group_destroyed: true,
      use_merge_group_base_commit_for_git_diff_base: true,
    });
    const push = { ref: `refs/heads/${branch}`, before: sha('0'), after: sha('a'), head_commit: { id: sha('a') } };
    const pushed = await deliver(push, headers('push', 'group-1'));
    const requested = await deliver(group('checks_requested'), headers('merge_group', 'group-2'));
    expect((await decided(pushed.body.id)).reason).toMatch(/^Merge groups are built when their checks are requested/);
    expect((await decided(requested.body.id)).outcome).toBe('build');
    expect(await builds()).toMatchObject([
      {
        branch,
        commit: sha('a'),
        env: {
          BUILDKITE_MERGE_QUEUE_BASE_BRANCH: 'main',
          BUILDKITE_MERGE_QUEUE_BASE_COMMIT: sha('b'),
          BUILDKITE_GIT_DIFF_BASE: sha('b'),
        },
      },
    ]);
    const gone = await deliver(group('destroyed', { reason: 'dequeued' }), headers('merge_group', 'group-3'));
    expect(await decided(gone.body.id)).toMatchObject({
      outcome: 'cancel',
      decisions: [{ canceled_build_ids: [expect.any(String)] }],
    });
    expect(await builds()).toMatchObject([{ state: 'canceled', cancelReason: 'The merge group is gone (dequeued)' }]);
  });

  const train = (status: string, letter: string, ref = 'feature', more: object = {}) => ({
    object_kind: 'pipeline',
    object_attributes: { id: 31, iid: 3, ref, sha: sha(letter), source: 'merge_request_event', status },
    merge_request: {
      iid: 9,
      title: 'A change',
      source_branch: 'feature',
      source_project_id: 1,
      target_branch: 'main',
      target_project_id: 1,
      state: 'opened',
      ...more,
    },
    project: { path_with_namespace: 'acme/app' },
    commit: { id: sha(letter), message: 'Merge branch feature into main', author: { name: 'Ada', email: 'a@b.c' } },
  });
  const gitlab = (id: string) => () => ({
    'X-Gitlab-Event': 'Hook',
    'X-Gitlab-Event-UUID': id,
    'X-Gitlab-Token': secret,
  });

  test('the commit of a merged result or merge train of GitLab is built once, where the pipeline wants it, and fetched by what it is called', async () => {
    await pipelineAt('https://gitlab.com/acme/app.git', 'gitlab', { build_pull_request_merge: true });
    const request = {
      object_kind: 'merge_request',
      object_attributes: {
        iid: 9,
        action: 'open',
        title: 'A change',
        state: 'opened',
        source_branch: 'feature',
        target_branch: 'main',
        source_project_id: 1,
        target_project_id: 1,
        last_commit: { id: sha('a'), message: 'work' },
        source: { path_with_namespace: 'acme/app', git_http_url: 'https://gitlab.com/acme/app.git' },
      },
      project: { path_with_namespace: 'acme/app' },
    };
    const reasons: string[] = [];
    for (const [index, payload] of [
      train('pending', 'c'),
      request,
      train('pending', 'a'),
      train('pending', 'c'),
      train('running', 'c'),
      train('success', 'c'),
      train('pending', 'd', 'refs/merge-requests/9/train'),
      train('pending', 'e', 'feature', { source_project_id: 2 }),
      {
        ...train('pending', 'f'),
        object_attributes: { ref: 'main', sha: sha('f'), source: 'push', status: 'pending' },
      },
    ].entries())
      reasons.push((await decided((await deliver(payload, gitlab(`train-${index}`))).body.id)).reason);
    expect(reasons).toEqual([
      'No delivery has described merge request 9',
      'Build 1 was created',
      'The pipeline is of the last commit of the merge request, which is built when it is pushed',
      'Build 2 was created',
      expect.stringMatching(/build 2 is of this commit on this branch$/),
      'Pipelines of merge requests are built while they run, not when they are success',
      'Build 3 was created',
      expect.stringMatching(/^build_pull_request_forks is off/),
      'Deliveries of Hook are not built',
    ]);
    expect((await builds()).map(({ commit, pullRequestId, env }) => [commit[0], pullRequestId, env])).toEqual([
      ['a', '9', {}],
      ['c', '9', { BUILDKITE_REFSPEC: sha('c') }],
      ['d', '9', { BUILDKITE_REFSPEC: 'refs/merge-requests/9/train', BUILDKITE_MERGE_QUEUE_BASE_BRANCH: 'main' }],
    ]);
  });
});
