import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import express, { type Express } from 'express';
import { sql } from 'kysely';
import type supertest from 'supertest';
import { Outbox } from '../../src/background/outbox/outbox.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { limits } from '../../src/domain/limits/limits.js';
import type { PipelineRow } from '../../src/entities/database.js';
import { forgetDeliveries } from '../../src/background/retention/forget-webhook-deliveries.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { BothSurfaces, type Data } from '../support/both-surfaces.js';
import { requestsTo } from '../support/requests.js';
import { webhookTokenOf } from '../../src/resources/pipelines/url-token.js';

const steps = 'steps:\n  - command: "true"\n';
const sha = (letter: string) => letter.repeat(40);
const push = (branch: string, commit: string, message = 'work') => ({
  ref: `refs/heads/${branch}`,
  before: sha('0'),
  after: commit,
  deleted: false,
  head_commit: { id: commit, message, author: { name: 'Ada', email: 'ada@example.com' } },
  repository: { full_name: 'acme/app' },
});
const gone = (branch: string) => ({
  ref: `refs/heads/${branch}`,
  after: sha('0'),
  deleted: true,
  head_commit: null,
  repository: { full_name: 'acme/app' },
});
const pull = (action: string, branch: string, commit: string, more: object = {}) => ({
  action,
  number: 7,
  pull_request: {
    number: 7,
    title: 'A change',
    state: 'open',
    draft: false,
    labels: [{ name: 'bug' }],
    user: { login: 'ada' },
    head: {
      ref: branch,
      sha: commit,
      user: { login: 'acme' },
      repo: { full_name: 'acme/app', clone_url: 'https://github.com/acme/app.git' },
    },
    base: { ref: 'main', repo: { full_name: 'acme/app' } },
    ...more,
  },
  repository: { full_name: 'acme/app' },
});

let surfaces: BothSurfaces;
let app: Express;
let pipeline: PipelineRow;
let deliveries = 0;

beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  app = express();
  app.use('/webhooks', webhookRouter(surfaces.world.services));
});
afterAll(() => surfaces.close());
beforeEach(async () => void (pipeline = await surfaces.world.pipeline(steps)));

const db = () => surfaces.world.services.db;
const at = () => `/organizations/acme/pipelines/${pipeline.slug}`;

async function deliver(
  event: string,
  payload: object,
  {
    id = `delivery-${(deliveries += 1)}`,
    headers = {},
    process = true,
  }: { id?: string; headers?: Record<string, string>; process?: boolean } = {},
) {
  const reply = await requestsTo(app)
    .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
    .set({ 'X-GitHub-Event': event, 'X-GitHub-Delivery': id, ...headers })
    .type('json')
    .send(JSON.stringify(payload));
  if (process) await runUntilIdle(surfaces.world.services);
  return { status: reply.status, body: reply.body as Data };
}
/** Has the database refuse builds; the function that it returns ends that. */
async function refuseBuilds(condition: string) {
  const run = (text: string) => sql.raw(text).execute(db());
  const refuse = 'returns trigger language plpgsql as $$ begin raise exception $text$poison$text$; end $$';
  await run(`create function refuse_build() ${refuse}`);
  await run(
    `create trigger poison before insert on builds for each row when (${condition}) execute function refuse_build()`,
  );
  return () => run('drop function refuse_build() cascade');
}
const builds = () =>
  db().selectFrom('builds').selectAll().where('pipelineId', '=', pipeline.id).orderBy('number').execute();
const settings = (given: object) =>
  db()
    .updateTable('pipelines')
    .set({ providerSettings: given as never })
    .where('id', '=', pipeline.id)
    .execute();
const decided = (id: string): Promise<Data> => surfaces.read(['get', `${at()}/deliveries/${id}`]);

describe('the webhook URL of a pipeline [api-v2:idacfa]', () => {
  test('a delivery is stored at once and built afterwards, by the rules for every build', async () => {
    const { status, body } = await deliver('push', push('main', sha('a')), { process: false });
    expect([status, body]).toEqual([202, { id: expect.any(String), message: 'The delivery was received' }]);
    expect(await builds()).toEqual([]);
    expect(await decided(body.id)).toMatchObject({ state: 'pending', outcome: null, decisions: [] });
    await runUntilIdle(surfaces.world.services);
    const [build] = await builds();
    expect(build).toMatchObject({
      number: 1,
      source: 'webhook',
      state: 'scheduled',
      branch: 'main',
      commit: sha('a'),
      commitResolved: true,
      message: 'work',
      author: { name: 'Ada', email: 'ada@example.com' },
      creatorId: null,
    });
    expect(build?.env).toMatchObject({ BUILDKITE_GITHUB_EVENT: 'push' });
    expect(await decided(body.id)).toMatchObject({
      state: 'processed',
      outcome: 'build',
      decisions: [{ outcome: 'build', build: { number: 1 } }],
    });
  });

  test('the member whose email address the commit has becomes the creator of the build', async () => {
    const { member } = surfaces.world;
    const by = (id: string, email: string) => ({ head_commit: { id, message: 'm', author: { name: 'x', email } } });
    await deliver('push', { ...push('main', sha('b')), ...by(sha('b'), member.email) });
    expect((await builds())[0]?.creatorId).toBe(member.id);
    // Mail addresses are compared in any case.
    await deliver('push', { ...push('main', sha('c')), ...by(sha('c'), member.email.toUpperCase()) });
    expect((await builds()).map(({ creatorId }) => creatorId)).toEqual([member.id, member.id]);
  });

  test('ten simultaneous copies of a delivery are stored once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => deliver('push', push('main', sha('c')), { id: 'the-same', process: false })),
    );
    await runUntilIdle(surfaces.world.services);
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 200), 202]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(await builds()).toHaveLength(1);
    expect((await deliver('push', push('main', sha('c')), { id: 'the-same' })).body).toEqual({
      id: replies[0]?.body.id,
      message: 'This delivery was received before',
    });
    expect(await builds()).toHaveLength(1);
  });

  test('a delivery without an id is identified by its bytes', async () => {
    const gitlab = () =>
      requestsTo(app)
        .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
        .set('X-Gitlab-Event', 'Push Hook')
        .send({ object_kind: 'push', ref: 'refs/heads/main', after: sha('d'), checkout_sha: sha('d'), commits: [] });
    expect([(await gitlab()).status, (await gitlab()).status]).toEqual([202, 200]);
    await runUntilIdle(surfaces.world.services);
    expect(await builds()).toHaveLength(1);
  });

  test('replicas that process the waiting deliveries of a pipeline together build each once and in order', async () => {
    const letters = [...'123456789abcdef'];
    for (const letter of letters) await deliver('push', push('main', sha(letter)), { process: false });
    const outboxes = [1, 2, 3].map(() => new Outbox(surfaces.world.services));
    await Promise.all(outboxes.map((outbox) => outbox.round()));
    await runUntilIdle(surfaces.world.services);
    expect((await builds()).map(({ commit }) => commit[0])).toEqual(letters);
  });

  test('a delivery that cannot be processed is rolled back without those that share its transaction', async () => {
    const allow = await refuseBuilds(`new.branch = 'poison'`);
    for (const [letter, branch] of Object.entries({ 1: 'main', 2: 'main', 3: 'poison', 4: 'main' }))
      await deliver('push', push(branch, sha(letter)), { process: false });
    await runUntilIdle(surfaces.world.services);
    expect((await builds()).map(({ commit }) => commit[0])).toEqual(['1', '2']);
    await allow();
    surfaces.world.clock.advance(60);
    await runUntilIdle(surfaces.world.services);
    expect((await builds()).map(({ commit }) => commit[0])).toEqual(['1', '2', '3', '4']);
  });

  test('once a secret is set, unsigned deliveries are refused, and neither secret nor signature is stored', async () => {
    await surfaces.read(['put', `${at()}/webhook/secret`, { secret: 'it is a secret' }]);
    const payload = push('main', sha('e'));
    const sign = (secret: string) => ({
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(payload)).digest('hex')}`,
    });
    const wrong: Record<string, string>[] = [
      {},
      sign('another'),
      { 'X-Hub-Signature-256': 'sha256=' },
      { 'X-Gitlab-Token': 'it is a secret' },
    ];
    for (const headers of wrong) {
      const { status, body } = await deliver('push', payload, { headers });
      expect([status, body]).toEqual([401, { message: 'The delivery is not signed with the secret of this webhook' }]);
    }
    expect(
      await db().selectFrom('webhook_deliveries').select('id').where('pipelineId', '=', pipeline.id).execute(),
    ).toEqual([]);
    const { status, body } = await deliver('push', payload, {
      headers: { ...sign('it is a secret'), Authorization: 'Bearer x', Cookie: 'a=b' },
    });
    expect([status, (await builds()).length]).toEqual([202, 1]);
    const shown = JSON.stringify(await decided(body.id));
    for (const word of ['it is a secret', 'Signature', 'Bearer', 'Cookie']) expect(shown).not.toContain(word);
    const row = await db()
      .selectFrom('pipeline_webhooks')
      .selectAll()
      .where('pipelineId', '=', pipeline.id)
      .executeTakeFirstOrThrow();
    expect(row.secret).not.toContain('it is a secret');
  });

  test('the token of a delivery is checked for providers that send one', async () => {
    await surfaces.read(['put', `${at()}/webhook/secret`, { secret: 'glpat' }]);
    const send = (token: string) =>
      requestsTo(app)
        .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
        .set({ 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': token })
        .send({ object_kind: 'push' });
    expect([(await send('wrong')).status, (await send('glpat')).status]).toEqual([401, 202]);
    await surfaces.read(['put', `${at()}/webhook/secret`, { secret: null }]);
    expect(
      (
        await requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .set('X-Gitlab-Event', 'Push Hook')
          .send({ object_kind: 'tag_push' })
      ).status,
    ).toBe(202);
  });

  test.each<[string, () => supertest.Test, number]>([
    [
      'an unknown URL',
      () => requestsTo(app).post('/webhooks/deliver/nothing-at-all').set('X-GitHub-Event', 'push').send({}),
      404,
    ],
    [
      'headers of no known provider',
      () =>
        requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .send({}),
      400,
    ],
    [
      'a body that is not JSON',
      () =>
        requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .set('X-GitHub-Event', 'push')
          .send('x='),
      400,
    ],
    [
      'a list',
      () =>
        requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .set('X-GitHub-Event', 'push')
          .send([]),
      400,
    ],
    [
      'a body nested too deep',
      () =>
        requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .set('X-GitHub-Event', 'push')
          .send(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)
          .type('json'),
      400,
    ],
    [
      'an event name that is too long',
      () =>
        requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .set('X-GitHub-Event', 'x'.repeat(300))
          .send({}),
      422,
    ],
    [
      'a body too large',
      () =>
        requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .set('X-GitHub-Event', 'push')
          .type('json')
          .send(`"${'x'.repeat(limits.webhookBodyBytes)}"`),
      413,
    ],
    [
      'a body that is too large when decompressed',
      () =>
        requestsTo(app)
          .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
          .set('X-GitHub-Event', 'push')
          .set('Content-Encoding', 'gzip')
          .type('json')
          .serialize((body) => body as string)
          .send(gzipSync(`{"a":"${'x'.repeat(limits.webhookUnpackedBytes)}"}`) as never),
      413,
    ],
    [
      'another method',
      () => requestsTo(app).get(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`),
      405,
    ],
  ])('a delivery with %s is refused', async (_what, send, status) => {
    const reply = await send();
    expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
    expect(
      await db().selectFrom('webhook_deliveries').select('id').where('pipelineId', '=', pipeline.id).execute(),
    ).toEqual([]);
  });

  test('a delivery sent as a form is read, without characters that cannot be stored and without a secret in its body', async () => {
    const payload = { ...push('main', sha('f'), 'nul \u0000 and half \ud800'), secret: 'old gitea' };
    const reply = await requestsTo(app)
      .post(`/webhooks/deliver/${webhookTokenOf(surfaces.world.services, pipeline)}`)
      .set('X-GitHub-Event', 'push')
      .type('form')
      .send({ payload: JSON.stringify(payload) });
    expect(reply.status).toBe(202);
    await runUntilIdle(surfaces.world.services);
    expect((await builds())[0]?.message).toBe('nul \ufffd and half \ufffd');
    expect(JSON.stringify(await decided(reply.body.id))).not.toContain('old gitea');
  });

  test('a webhook URL that was replaced accepts no delivery', async () => {
    await surfaces.select([
      'mutation ($input: PipelineRotateWebhookURLInput!) { pipelineRotateWebhookURL(input: $input) { pipeline { id } } }',
      { input: { id: pipeline.id } },
    ]);
    expect((await deliver('push', push('main', sha('a')))).status).toBe(404);
  });
});

describe('the effect of deliveries on builds', () => {
  test('a pull request is built once, and later pushes to its branch are built for the pull request', async () => {
    await deliver('push', push('feature', sha('1')));
    await deliver('pull_request', pull('opened', 'feature', sha('1')));
    await deliver('push', push('feature', sha('2')));
    await deliver('pull_request', pull('synchronize', 'feature', sha('2')));
    expect(
      (await builds()).map(({ commit, pullRequestId, pullRequestBaseBranch, pullRequestLabels }) => [
        commit[0],
        pullRequestId,
        pullRequestBaseBranch,
        pullRequestLabels,
      ]),
    ).toEqual([
      ['1', null, null, []],
      ['2', '7', 'main', ['bug']],
    ]);
    await deliver('pull_request', pull('closed', 'feature', sha('2'), { state: 'closed' }));
    await deliver('push', push('feature', sha('3')));
    expect((await builds()).at(-1)).toMatchObject({ commit: sha('3'), pullRequestId: null });
  });

  test('a command on a pull request builds the commit known from earlier deliveries', async () => {
    await settings({ build_issue_comment_created: true, build_branches: false });
    await deliver('pull_request', pull('opened', 'feature', sha('4')));
    await deliver('issue_comment', {
      action: 'created',
      issue: { number: 7, title: 'A change', state: 'open', pull_request: {} },
      comment: { id: 99, body: '/bk', author_association: 'MEMBER' },
      repository: { full_name: 'acme/app' },
    });
    const [, second] = await builds();
    expect(second).toMatchObject({ commit: sha('4'), branch: 'feature', pullRequestId: '7' });
    expect(second?.env).toMatchObject({ BUILDKITE_GITHUB_COMMENT_ID: '99', BUILDKITE_GITHUB_ACTION: 'created' });
  });

  test('a deleted branch cancels its builds where that setting is on [api-v2:elnjkb]', async () => {
    await settings({ cancel_deleted_branch_builds: true });
    await deliver('push', push('feature', sha('5')));
    await deliver('push', push('main', sha('5')));
    const { body } = await deliver('push', gone('feature'));
    expect((await builds()).map(({ branch, state, cancelReason }) => [branch, state, cancelReason])).toEqual([
      ['feature', 'canceled', 'The branch was deleted'],
      ['main', 'scheduled', null],
    ]);
    expect(await decided(body.id)).toMatchObject({
      outcome: 'cancel',
      decisions: [{ canceled_build_ids: [expect.any(String)] }],
    });
  });

  test('a newer push skips the queued build of its branch where the pipeline is set to do so [api-v2:amcnge,ohbage]', async () => {
    await db()
      .updateTable('pipelines')
      .set({ skipQueuedBranchBuilds: true, skipQueuedBranchBuildsFilter: '!main' })
      .where('id', '=', pipeline.id)
      .execute();
    for (const branch of ['feature', 'feature', 'main', 'main'])
      await deliver('push', push(branch, sha(String((deliveries % 8) + 1))));
    expect((await builds()).map(({ branch, state }) => `${branch} ${state}`)).toEqual([
      'feature skipped',
      'feature scheduled',
      'main scheduled',
      'main scheduled',
    ]);
  });

  test('a newer push cancels the running build of its branch where the pipeline is set to do so [api-v2:hccjgp,apdojg]', async () => {
    await db()
      .updateTable('pipelines')
      .set({ cancelRunningBranchBuilds: true, cancelRunningBranchBuildsFilter: 'feature' })
      .where('id', '=', pipeline.id)
      .execute();
    for (const branch of ['feature', 'main']) await deliver('push', push(branch, sha('6')));
    await db().updateTable('builds').set({ state: 'running' }).where('pipelineId', '=', pipeline.id).execute();
    for (const branch of ['feature', 'main']) await deliver('push', push(branch, sha('7')));
    expect((await builds()).map(({ branch, cancelRequestedAt }) => [branch, cancelRequestedAt !== null])).toEqual([
      ['feature', true],
      ['main', false],
      ['feature', false],
      ['main', false],
    ]);
  });

  test('a filter condition sees the event, the label and the message [api-v2:hnmjhl,ifdalf]', async () => {
    await settings({
      filter_enabled: true,
      filter_condition:
        'build.source_event == "push" && build.message =~ /release/ || build.pull_request.label == "bug"',
      build_pull_request_labels_changed: true,
    });
    await deliver('push', push('main', sha('8'), 'a release'));
    await deliver('push', push('main', sha('9'), 'work'));
    await deliver('pull_request', { ...pull('labeled', 'feature', sha('a')), label: { name: 'bug' } });
    await deliver('pull_request', { ...pull('labeled', 'feature', sha('b')), label: { name: 'ci' } });
    expect((await builds()).map(({ commit }) => commit[0])).toEqual(['8', 'a']);
  });

  test('a build that cannot be created is explained and does not stop later deliveries', async () => {
    await db().updateTable('pipelines').set({ configuration: 'steps: [' }).where('id', '=', pipeline.id).execute();
    const { body } = await deliver('push', push('main', sha('a')), { process: false });
    await deliver('push', push('main', sha('b')), { process: false });
    await runUntilIdle(surfaces.world.services);
    expect(await decided(body.id)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^The build could not be created: /),
    });
    await db().updateTable('pipelines').set({ configuration: steps }).where('id', '=', pipeline.id).execute();
    await deliver('push', push('x'.repeat(400), sha('c')));
    await deliver('push', push('main', sha('d')));
    expect((await builds()).map(({ commit }) => commit[0])).toEqual(['d']);
  });

  test('a delivery that keeps failing does not stop later ones', async () => {
    const allow = await refuseBuilds(`new.commit = 'poison'`);
    const { body } = await deliver('push', push('main', 'poison'));
    await deliver('push', push('main', sha('b')));
    for (let round = 0; round < 4; round += 1) {
      surfaces.world.clock.advance(60_000);
      await runUntilIdle(surfaces.world.services);
    }
    await allow();
    expect(await decided(body.id)).toMatchObject({ outcome: 'failed', reason: 'The delivery could not be processed' });
    expect((await builds()).map(({ commit }) => commit[0])).toEqual(['b']);
  });
});

describe('the decision about a delivery', () => {
  const fields = `uuid deliveryId provider event state outcome reason headers createdAt processedAt
    decisions { kind action repository branch tag commit message author { name email username } pullRequest { id title baseBranch fork draft labels } outcome reason rules { rule outcome reason } build { uuid number } canceledBuildIds }`;
  const decision = (found: Data) => ({
    kind: found.kind,
    action: found.action,
    repository: found.repository,
    branch: found.branch,
    tag: found.tag,
    commit: found.commit,
    message: found.message,
    author: found.author,
    pull_request: found.pullRequest && {
      id: found.pullRequest.id,
      title: found.pullRequest.title,
      base_branch: found.pullRequest.baseBranch,
      fork: found.pullRequest.fork,
      draft: found.pullRequest.draft,
      labels: found.pullRequest.labels,
    },
    outcome: found.outcome,
    reason: found.reason,
    rules: found.rules,
    build: found.build && {
      id: found.build.uuid,
      number: found.build.number,
      url: `http://slipway.test/v2${at()}/builds/${found.build.number}`,
    },
    canceled_build_ids: found.canceledBuildIds,
  });
  const delivery = (found: Data) => ({
    id: found.uuid,
    url: `http://slipway.test/v2${at()}/deliveries/${found.uuid}`,
    delivery_id: found.deliveryId,
    provider: found.provider,
    event: found.event,
    state: found.state,
    outcome: found.outcome,
    reason: found.reason,
    headers: found.headers,
    decisions: found.decisions.map(decision),
    created_at: found.createdAt,
    processed_at: found.processedAt,
  });

  test('both surfaces show the decision rule by rule, in the list and for one delivery', async () => {
    await settings({ build_branches: true, build_tags: false });
    await deliver('push', push('main', sha('a')));
    await deliver('pull_request', pull('opened', 'feature', sha('b')));
    const { body } = await deliver('push', { ...push('x', sha('c')), ref: 'refs/tags/v1' });
    const list = await surfaces.read(['get', `${at()}/deliveries?per_page=2`]);
    expect(list.map(({ outcome }: Data) => outcome)).toEqual(['ignore', 'build']);
    const query = `query ($id: ID!, $uuid: ID!) { node(id: $id) { ... on Pipeline { webhookDeliveries(first: 2) { count nodes { ${fields} } } webhookDelivery(uuid: $uuid) { ${fields} payload } } } }`;
    const { node } = await surfaces.select([
      query,
      { id: Buffer.from(`Pipeline---${pipeline.id}`).toString('base64'), uuid: body.id },
    ]);
    expect(node.webhookDeliveries.nodes.map(delivery)).toEqual(list);
    expect(node.webhookDeliveries.count).toBe(3);
    const one = await decided(body.id);
    const shown = node.webhookDelivery;
    expect({
      ...delivery(shown),
      payload: typeof shown.payload === 'string' ? JSON.parse(shown.payload) : shown.payload,
    }).toEqual(one);
    expect(one).toMatchObject({
      reason: 'build_tags is off: tags are not built',
      payload: { ref: 'refs/tags/v1' },
      headers: expect.arrayContaining(['X-GitHub-Event: push']),
    });
    expect(one.decisions[0].rules).toContainEqual({
      rule: 'build_tags',
      outcome: 'stop',
      reason: 'build_tags is off: tags are not built',
    });
  });

  test('a preview of a delivery stores nothing and builds nothing', async () => {
    const tables = ['builds', 'webhook_deliveries', 'pull_requests', 'outbox_messages', 'events', 'audit_events'];
    const before = await surfaces.rows(tables);
    const payload = pull('opened', 'feature', sha('b'));
    const told = await surfaces.read(['post', `${at()}/deliveries/preview`, { event: 'pull_request', payload }]);
    expect(told).toMatchObject({
      provider: 'github',
      event: 'pull_request',
      outcome: 'build',
      decisions: [{ branch: 'feature', build: null }],
    });
    const query = `query ($id: ID!, $payload: JSON!) { node(id: $id) { ... on Pipeline { webhookPreview(event: "pull_request", payload: $payload) { provider event outcome reason ${fields.slice(fields.indexOf('decisions'))} } } } }`;
    const { node } = await surfaces.select([
      query,
      { id: Buffer.from(`Pipeline---${pipeline.id}`).toString('base64'), payload: JSON.stringify(payload) },
    ]);
    expect({ ...node.webhookPreview, decisions: node.webhookPreview.decisions.map(decision) }).toEqual(told);
    const gitlab = await surfaces.read([
      'post',
      `${at()}/deliveries/preview`,
      {
        provider: 'gitlab',
        event: 'Push Hook',
        payload: { object_kind: 'push', ref: 'refs/heads/x', after: sha('1'), checkout_sha: sha('1') },
      },
    ]);
    expect(gitlab).toMatchObject({
      provider: 'gitlab',
      outcome: 'build',
      decisions: [{ kind: 'branch_push', branch: 'x' }],
    });
    expect(await surfaces.rows(tables)).toEqual(before);
    expect(
      (
        await surfaces.rest(['post', `${at()}/deliveries/preview`, { event: '', payload: 1, provider: 'x' }])
      ).body.errors
        .map(({ field }: Data) => field)
        .sort(),
    ).toEqual(['event', 'payload', 'provider']);
  });

  test('decisions are hidden from strangers and forbidden to readers of a public pipeline', async () => {
    const { body } = await deliver('push', push('main', sha('a')));
    const { outsider } = surfaces.world;
    for (const path of ['/deliveries', `/deliveries/${body.id}`])
      expect((await surfaces.rest(['get', at() + path], outsider)).status).toBe(404);
    await db().updateTable('pipelines').set({ visibility: 'public' }).where('id', '=', pipeline.id).execute();
    for (const path of ['/deliveries', `/deliveries/${body.id}`])
      expect((await surfaces.rest(['get', at() + path], outsider)).status).toBe(403);
    const query =
      'query ($id: ID!) { build(uuid: $id) { source { name ... on BuildSourceWebhook { headers payload uuid } } } }';
    const [build] = await builds();
    expect((await surfaces.select([query, { id: build?.id }], outsider)).build.source).toEqual({
      name: 'Webhook',
      headers: null,
      payload: null,
      uuid: null,
    });
    const { source } = (await surfaces.select([query, { id: build?.id }])).build;
    expect(source).toMatchObject({
      uuid: expect.stringMatching(/^delivery-/),
      headers: expect.arrayContaining(['X-GitHub-Event: push']),
    });
    expect(JSON.stringify(source.payload)).toContain(sha('a'));
    expect((await surfaces.rest(['get', `${at()}/deliveries/${pipeline.id}`])).status).toBe(404);
  });

  test('decisions are kept for a week', async () => {
    const { body } = await deliver('push', push('main', sha('a')));
    await deliver('pull_request', pull('closed', 'feature', sha('a'), { state: 'closed' }));
    await forgetDeliveries(surfaces.world.services);
    expect((await surfaces.rest(['get', `${at()}/deliveries/${body.id}`])).status).toBe(200);
    surfaces.world.clock.advance((limits.closedPullRequestDays + 1) * 86_400_000);
    expect(await forgetDeliveries(surfaces.world.services)).toBeGreaterThan(0);
    expect((await surfaces.rest(['get', `${at()}/deliveries/${body.id}`])).status).toBe(404);
    expect(await db().selectFrom('pull_requests').select('id').where('pipelineId', '=', pipeline.id).execute()).toEqual(
      [],
    );
    expect(await builds()).toHaveLength(1);
  });

  test('deleting a pipeline deletes its decisions', async () => {
    await deliver('pull_request', pull('opened', 'feature', sha('a')));
    await surfaces.read(['put', `${at()}/webhook/secret`, { secret: 'x' }]);
    await surfaces.read(['delete', at()]);
    await runUntilIdle(surfaces.world.services);
    const tables = ['webhook_deliveries', 'webhook_delivery_builds', 'pull_requests', 'pipeline_webhooks'] as const;
    for (const table of tables) {
      expect(
        await db().selectFrom(table).select('organizationId').where('pipelineId', '=', pipeline.id).execute(),
      ).toEqual([]);
    }
  });
});
