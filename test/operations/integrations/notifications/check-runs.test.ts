import { createHmac, randomUUID } from 'node:crypto';
import express from 'express';
import { publishCommitStatuses } from '../../../../src/background/integrations/publish-commit-statuses.js';
import type { EventDecision } from '../../../../src/domain/integrations/webhook-deliveries/event-decision.js';
import { webhookRouter } from '../../../../src/webhooks/router.js';
import { FakeGithubApp } from '../../../support/fake-github-app.js';
import { JobRunner } from '../../../support/job-runner.js';
import { requestsTo } from '../../../support/requests.js';
import { runUntilIdle } from '../../../support/run-until-idle.js';
import { agentApp, buildOf, ScriptedAgent } from '../../../support/scripted-agent.js';
import { World } from '../../../support/world.js';

const sha = 'a'.repeat(40);
const secret = 'the secret of the App';
const annotation = (line: number, message = 'odd') => ({
  path: 'src/main.c',
  start_line: line,
  end_line: line,
  annotation_level: 'warning',
  message,
});

describe('check runs at GitHub', () => {
  let world: World;
  let github: FakeGithubApp;
  let connection: string;
  const webhooks = express();
  beforeAll(async () => {
    world = await World.create();
    webhooks.use('/webhooks', webhookRouter(world.services));
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const { db } = world.services;
    for (const table of [
      'commit_statuses',
      'commit_status_marks',
      'provider_connection_states',
      'provider_connections',
    ] as const)
      await db.deleteFrom(table).execute();
    await db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('state', 'in', ['scheduled', 'assigned', 'accepted', 'running'])
      .execute();
    github = await FakeGithubApp.start(() => world.clock.now());
    connection = await github.connect(world, { webhookSecret: secret });
  });
  afterEach(() => github.stop());

  /** The next commit, so that no build supersedes that of another test. */
  let commits = 0;
  const build = async (steps: string) =>
    (await buildOf(world, steps, { commit: (commits += 1).toString(16).padStart(40, '0') })).build;
  const publish = async () => {
    world.clock.advance(120);
    while (await publishCommitStatuses(world.services));
  };
  const shown = () =>
    github.checkRuns.map(({ fields: { name, status, conclusion } }) =>
      [name, status, conclusion].filter(Boolean).join(' '),
    );
  const rowsOf = (buildId: string) =>
    world.services.db.selectFrom('commit_statuses').selectAll().where('buildId', '=', buildId).execute();

  async function runOne(exit = '0') {
    const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
    const job = await agent.takeJob();
    return { agent, job, finish: () => agent.finish(job, { exit_status: exit }).expect(200) };
  }

  test('a build and a step that ask for one have it, with the state, page and output of the build, and it follows them', async () => {
    const made = await build(`
      notify: [github_check, { github_check: { name: "lint", output: { title: "T", summary: "S", text: "X" } } }]
      steps: [{ command: a, label: Tests, notify: [github_check] }, { command: b, key: quiet }]`);
    await publish();
    const named = (name: string) => expect.stringMatching(new RegExp(`^${name}$`));
    expect(shown().sort()).toEqual([named('Tests queued'), named('lint queued'), named('pipeline-\\w+ queued')]);
    const [first] = github.checkRuns;
    expect(first).toMatchObject({
      repository: 'acme/app',
      fields: {
        head_sha: made.commit,
        external_id: `slipway:build:${made.id}`,
        details_url: expect.stringMatching(`/builds/${made.number}$`),
        output: { title: `Build #${made.number} is scheduled`, summary: `Build #${made.number} is scheduled` },
      },
    });
    expect(github.checkRuns.find(({ fields }) => fields['name'] === 'lint')?.fields.output).toEqual({
      title: 'T',
      summary: 'S',
      text: 'X',
    });
    const { finish } = await runOne();
    await publish();
    expect(shown()).toContain('Tests in_progress');
    await finish();
    await (await runOne('1')).finish();
    await publish();
    expect(shown().sort()).toEqual([
      named('Tests completed success'),
      named('lint completed failure'),
      named('pipeline-\\w+ completed failure'),
    ]);
    expect(github.checkRuns).toHaveLength(3);
    expect(github.checkRuns.map(({ fields }) => fields['completed_at']).filter(Boolean)).toHaveLength(2);
  });

  test('a running job changes the output, and annotations go in fifties, each of them once', async () => {
    const { build: made } = {
      build: await build('steps: [{ command: a, key: t, notify: [{ github_check: { name: t } }] }]'),
    };
    const { agent, finish } = await runOne();
    const update = async (attribute: string, value: string, append = false) => {
      const body = { idempotency_uuid: randomUUID(), build_id: made.id, attribute, value, append };
      const { status, body: reply } = await agent.call('put', '/steps/t', agent.jobToken).send(body);
      return status === 200 ? 'done' : `${status} ${reply.message}`;
    };
    await publish();
    const path = 'notify.github_check.output.';
    for (const [field, value] of [
      ['title', '3 of 5'],
      ['summary', 'so far'],
      ['text', 'long'],
    ] as const)
      expect(await update(path + field, value)).toBe('done');
    expect(await update(`${path}text`, 'er', true)).toBe('done');
    expect(await update(`${path}summary`, 's'.repeat(65_535))).toBe('done');
    expect(await update(`${path}summary`, 's', true)).toMatch(
      /^422 The summary of a check can have at most 65535 char/,
    );
    const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => annotation(from + index));
    expect(await update(`${path}annotations`, JSON.stringify(many(1, 60)))).toBe('done');
    await publish();
    const [run] = github.checkRuns;
    expect(run?.fields).toMatchObject({
      status: 'in_progress',
      output: { title: '3 of 5', summary: 's'.repeat(65_535), text: 'longer' },
    });
    expect(run?.annotations).toHaveLength(60);
    for (const [field, value, why] of [
      ['annotations', '[{"path":"a"}]', 'start_line'],
      ['annotations', 'no', 'must be JSON'],
      ['colour', 'x', 'cannot be updated'],
    ] as const)
      expect(await update(path + field, value)).toMatch(new RegExp(`^422 .*${why}`));
    expect(await update(`${path}annotations`, JSON.stringify(annotation(61)), true)).toBe('done');
    // GitHub takes part of them, and refuses the rest once.
    expect(await update(`${path}annotations`, JSON.stringify(many(62, 70)), true)).toBe('done');
    await finish();
    world.clock.advance(120);
    const requests = () => github.requests.filter((each) => each.includes('/check-runs')).length;
    const before = requests();
    github.failures.push({ status: 200, body: { id: run?.id ?? 0 } }, { status: 502, body: { message: 'no' } });
    while (await publishCommitStatuses(world.services));
    expect(requests() - before).toBe(2);
    await publish();
    // The first fifty of these went to a reply that the imitation has forgotten.
    expect(run?.annotations).toHaveLength(60 + 21);
    expect(run?.annotations.at(-1)).toEqual(annotation(131));
    expect(shown()).toEqual(['t completed success']);
    expect(github.checkRuns).toHaveLength(1);
  });

  test('annotations that are replaced, and a job that runs again, get a new run of the same name', async () => {
    const made = await build('steps: [{ command: a, key: t, notify: [{ github_check: { name: t } }] }]');
    const { agent, finish } = await runOne('1');
    const update = (value: object) =>
      agent
        .call('put', '/steps/t', agent.jobToken)
        .send({ build_id: made.id, attribute: 'notify.github_check.output.annotations', value: JSON.stringify(value) })
        .expect(200);
    await update([annotation(1), annotation(2)]);
    await publish();
    await update([annotation(2, 'odd in another way')]);
    await publish();
    expect(github.checkRuns.map(({ annotations }) => annotations.length)).toEqual([2, 1]);
    await finish();
    await publish();
    expect(shown()).toEqual(['t in_progress', 't completed failure']);
    await deliver('check_run', {
      action: 'rerequested',
      check_run: { external_id: github.checkRuns[1]?.fields['external_id'] },
    });
    await publish();
    expect(shown()).toEqual(['t in_progress', 't completed failure', 't queued']);
  });

  test('texts are cut to what GitHub takes, and annotations that it would refuse are left out with a word', async () => {
    await build(
      JSON.stringify({
        notify: [
          {
            github_check: {
              name: 'long',
              output: {
                title: 't'.repeat(300),
                summary: 'so far',
                annotations: [annotation(3), { path: 'a', start_line: 0, message: 'm' }, annotation(4)],
              },
            },
          },
        ],
        steps: [{ command: 'a' }],
      }),
    );
    await publish();
    const { output } = github.checkRuns[0]?.fields as { output: { title: string; summary: string } };
    expect(output.title).toHaveLength(255);
    expect(output.summary).toMatch(/An annotation is left out: annotations\[1\] has no start_line/);
    expect(github.checkRuns[0]?.annotations).toEqual([annotation(3), annotation(4)]);
  });

  test('without an App there is no check run, and the build says why', async () => {
    await world.services.db.updateTable('provider_connections').set({ appId: null, provider: 'github' }).execute();
    const made = await build('{ notify: [github_check], steps: [{ command: a }] }');
    await publish();
    const check = (await rowsOf(made.id)).find(({ checkOutput }) => checkOutput !== null);
    expect(check).toMatchObject({
      nextAttemptAt: null,
      lastError: 'Not sent: github_check needs a GitHub App, and github.com is connected by a token',
    });
    expect(github.checkRuns).toEqual([]);
  });

  async function deliver(event: string, payload: object): Promise<EventDecision> {
    const body = JSON.stringify({ repository: { full_name: 'acme/app' }, ...payload });
    const id = randomUUID();
    await requestsTo(webhooks)
      .post(`/webhooks/connections/${connection}`)
      .set({
        'X-GitHub-Event': event,
        'X-GitHub-Delivery': id,
        'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      })
      .type('json')
      .send(body)
      .expect(202);
    await runUntilIdle(world.services);
    const rows = await world.services.db
      .selectFrom('webhook_deliveries')
      .select('decisions')
      .where('deliveryId', '=', id)
      .execute();
    const decisions = rows.flatMap((row) => row.decisions as EventDecision[]);
    // Every pipeline of the repository decides; the one whose check it is does something.
    return decisions.find(({ outcome }) => outcome !== 'ignore') ?? (decisions[0] as EventDecision);
  }

  test('a check that is run again from the pull request retries its failed jobs, or builds again where there are none', async () => {
    const steps = `
      notify: [{ github_check: { name: all } }]
      steps: [{ command: a, key: one, notify: [{ github_check: { name: one } }] }, { command: b, key: two }]`;
    const made = await build(steps);
    await (await runOne('1')).finish();
    await (await runOne('1')).finish();
    await publish();
    const idOf = (name: string) =>
      github.checkRuns.find(({ fields }) => fields['name'] === name)?.fields['external_id'];
    const rerun = (name: string) =>
      deliver('check_run', { action: 'rerequested', check_run: { external_id: idOf(name) } });
    expect(await rerun('one')).toMatchObject({
      outcome: 'build',
      reason: `1 job of build ${made.number} ran again`,
      rules: [
        { rule: 'check_rerequested', outcome: 'pass' },
        { rule: 'rerun', outcome: 'pass' },
      ],
      buildId: null,
    });
    expect(await rerun('all')).toMatchObject({ reason: `1 job of build ${made.number} ran again` });
    const runner = new JobRunner(world);
    const jobs = await runner.jobs(made.id);
    expect(jobs.map(({ state, retried }) => [state, retried]).sort()).toEqual([
      ['finished', true],
      ['finished', true],
      ['scheduled', false],
      ['scheduled', false],
    ]);
    await (await runOne()).finish();
    await (await runOne()).finish();
    const again = await rerun('all');
    expect(again.reason).toMatch(new RegExp(`^Build ${made.number} was built again as \\d+$`));
    const copy = await world.services.db
      .selectFrom('builds')
      .selectAll()
      .where('id', '=', again.buildId)
      .executeTakeFirstOrThrow();
    expect(copy).toMatchObject({ rebuiltFromId: made.id, commit: made.commit, source: 'webhook' });

    await (await runOne('1')).finish();
    await (await runOne()).finish();
    await publish();
    const suite = { head_sha: made.commit, head_branch: 'main' };
    expect(await deliver('check_suite', { action: 'rerequested', check_suite: suite })).toMatchObject({
      kind: 'check_suite',
      reason: `1 job of build ${copy.number} ran again`,
    });
    expect(await deliver('check_suite', { action: 'requested', check_suite: suite })).toMatchObject({
      outcome: 'ignore',
      reason: 'Deliveries of check_suite (requested) are not built',
    });
  });

  test('a check of another App or pipeline does nothing, and the end of an own check starts no build', async () => {
    const made = await build('{ notify: [github_check], steps: [{ command: a }] }');
    await world.services.db
      .updateTable('pipelines')
      .set({ providerSettings: { build_check_run_completed: true } as never })
      .where('id', '=', made.pipelineId)
      .execute();
    for (const external of ['12', '', `slipway:build:${randomUUID()}`, 'slipway:build:nothing'])
      expect(await deliver('check_run', { action: 'rerequested', check_run: { external_id: external } })).toMatchObject(
        {
          outcome: 'ignore',
          reason: 'No build of this pipeline has published the check that is to run again',
        },
      );
    const completed = (external_id: string) => ({
      action: 'completed',
      check_run: { external_id, head_sha: sha, name: 'x', conclusion: 'success', check_suite: { head_branch: 'main' } },
    });
    expect(await deliver('check_run', completed(`slipway:build:${made.id}`))).toMatchObject({ outcome: 'ignore' });
    expect(await deliver('check_run', completed('of another App'))).toMatchObject({ outcome: 'build' });
  });
});
