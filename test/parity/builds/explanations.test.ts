import type { Express } from 'express';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import type { Person } from '../../support/world.js';
import {
  buildExplanation,
  buildExplanationFields,
  jobExplanation,
  jobExplanationFields,
} from '../reads/explanations.js';

describe('explanations of jobs and builds, the same on both surfaces', () => {
  let surfaces: BothSurfaces;
  let agents: Express;
  let pipelines = 0;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ plan: 'enterprise' });
    agents = agentApp(surfaces.world);
  });
  afterAll(() => surfaces.close());

  /** A build of a new pipeline with these steps. */
  async function build(yaml: string, pipeline: object = {}): Promise<Data> {
    const { slug } = await surfaces.world.pipeline(yaml, { slug: `p${(pipelines += 1)}`, ...pipeline });
    return again(slug);
  }
  async function again(slug: string): Promise<Data> {
    const made = await surfaces.read([
      'post',
      `/organizations/acme/pipelines/${slug}/builds`,
      { commit: 'HEAD', branch: 'main' },
    ]);
    await runUntilIdle(surfaces.world.services);
    return { ...(await surfaces.read(['get', pathOf(made)])), slug };
  }
  const pathOf = (made: Data) => new URL(made.url).pathname.replace('/v2', '');

  /** The explanation of a job by its key or label, which both surfaces give alike. */
  async function explain(made: Data, name: string, person?: Person): Promise<Data> {
    const current = await surfaces.read(['get', pathOf(made)]);
    const job = current.jobs.find(({ step_key: key, name: label, label: block }: Data) =>
      [key, label, block].includes(name),
    );
    const rest = await surfaces.read(['get', `${pathOf(made)}/jobs/${job.id}/explanation`], person);
    expect(await surfaces.read(['get', `/organizations/acme/jobs/${job.id}/explanation`], person)).toEqual(rest);
    const data = await surfaces.select(
      [`query ($id: ID!) { job(uuid: $id) { ${jobExplanationFields} } }`, { id: job.id }],
      person,
    );
    expect(rest).toEqual(jobExplanation(data.job));
    return rest;
  }
  async function explainBuild(made: Data): Promise<Data> {
    const rest = await surfaces.read(['get', `${pathOf(made)}/explanation`]);
    const id = encodeNodeId('Build', made.id);
    const data = await surfaces.select([
      `query ($id: ID!) { node(id: $id) { ... on Build { ${buildExplanationFields} } } }`,
      { id },
    ]);
    expect(rest).toEqual(buildExplanation(data.node));
    return rest;
  }
  const names = ({ jobs }: Data) => jobs.map(({ name }: Data) => name);

  test('a trigger job that failed says why no build was created, or shows the build that did not pass', async () => {
    const nowhere = await build('steps: [{ trigger: nowhere, key: t, label: T }]');
    expect(await explain(nowhere, 't')).toMatchObject({
      reason: 'trigger_failed',
      message: expect.stringMatching(/could not be created: Could not find a pipeline with the slug "nowhere"/),
      triggered_build: null,
    });
    const child = await surfaces.world.pipeline('steps: [{ command: make }]', { slug: 'child-that-fails' });
    const made = await build(`steps: [{ trigger: ${child.slug}, key: t, label: T }]`);
    await surfaces.read(['put', `/organizations/acme/pipelines/${child.slug}/builds/1/cancel`]);
    await runUntilIdle(surfaces.world.services);
    expect(await explain(made, 't')).toMatchObject({
      reason: 'trigger_failed',
      message: 'The build that the step started in the other pipeline did not pass.',
      triggered_build: { number: 1 },
    });
  });

  test('a job that waits for others names them, also through waits, groups and blocks that are not reached', async () => {
    const made = await build(`
steps:
  - { label: Compile, key: compile, command: make }
  - { label: Check, key: check, command: lint }
  - wait
  - { block: Release?, key: gate }
  - { label: Deploy, key: deploy, command: deploy }
  - { label: Report, key: report, command: report, depends_on: compile }
  - { label: Lost, key: lost, command: x, depends_on: nowhere }
  - { label: One, key: one, command: x, depends_on: two }
  - { label: Two, key: two, command: x, depends_on: one }
`);
    const deploy = await explain(made, 'deploy');
    expect(deploy).toMatchObject({ state: 'blocked', reason: 'dependency' });
    expect(deploy.message).toBe('Waits for the end of "Compile", "Check".');
    expect(names(deploy)).toEqual(['Compile', 'Check']);
    expect(names(await explain(made, 'report'))).toEqual(['Compile']);
    expect(await explain(made, 'lost')).toMatchObject({
      reason: 'dependency_missing',
      message: 'No step of the build has the key "nowhere", which "depends_on" names.',
    });
    expect(await explain(made, 'one')).toMatchObject({ reason: 'dependency_cycle', jobs: [] });
  });

  test('a reached block waits for a person, and the jobs behind it for the block', async () => {
    const made = await build(
      'steps: [{ block: Release?, key: gate }, { label: Deploy, key: deploy, command: deploy }]',
    );
    expect(await explain(made, 'Release?')).toMatchObject({ reason: 'unblock', jobs: [] });
    const deploy = await explain(made, 'deploy');
    expect(deploy).toMatchObject({ reason: 'block', message: 'Waits until somebody unblocks "Release?".' });
    expect(names(deploy)).toEqual(['Release?']);
    const whole = await explainBuild(made);
    expect(whole).toMatchObject({ state: 'blocked', reason: 'unblock' });
    expect(names(whole)).toEqual(['Release?']);
  });

  test('a job that no agent takes says what the agents of its queue lack', async () => {
    const made = await build(`
steps:
  - { label: Default, key: default, command: x, priority: 9 }
  - { label: Mac, key: mac, command: x, agents: { queue: macos, os: "13" } }
  - { label: Nowhere, key: nowhere, command: x, agents: { queue: solaris } }
`);
    expect(await explain(made, 'mac')).toMatchObject({
      reason: 'no_agents',
      message: 'The queue "macos" has no connected agent.',
    });
    expect(await explain(made, 'nowhere')).toMatchObject({
      reason: 'no_queue',
      message: 'The cluster of the pipeline has no queue "solaris".',
    });
    const { agentToken, clusterId, queues } = surfaces.world;
    const mac = await ScriptedAgent.connected(agents, agentToken, { meta_data: ['queue=macos', 'os=12'] });
    expect(await explain(made, 'mac')).toMatchObject({
      reason: 'no_matching_agents',
      message: 'The queue "macos" has no agent with the tag os=13.',
    });
    const agent = await ScriptedAgent.connected(agents, agentToken);
    expect(await explain(made, 'default')).toMatchObject({ reason: 'dispatch' });
    await surfaces.read(['put', `/organizations/acme/agents/${agent.id}/pause`, {}]);
    expect(await explain(made, 'default')).toMatchObject({
      reason: 'agents_paused',
      message: 'The agent that matches is paused.',
    });
    await surfaces.read(['put', `/organizations/acme/agents/${agent.id}/resume`]);
    const queue = `/organizations/acme/clusters/${clusterId}/queues/${queues.default}`;
    await surfaces.read(['post', `${queue}/pause_dispatch`, { dispatch_paused_note: 'Moving house' }]);
    expect(await explain(made, 'default')).toMatchObject({
      reason: 'queue_paused',
      message: 'The queue "default" is paused: Moving house',
    });
    await surfaces.read(['post', `${queue}/resume_dispatch`]);
    await agent.takeJob();
    expect(await explain(made, 'default')).toMatchObject({ state: 'running', reason: null, message: null });
    const second = await again(made.slug);
    expect(await explain(second, 'default')).toMatchObject({
      reason: 'agents_busy',
      message: 'The agent that matches is busy with other jobs.',
    });
    for (const each of [mac, agent]) await each.call('post', '/disconnect').expect(200);
  });

  test('a full concurrency group names the jobs that hold it, and hides those of pipelines that the caller may not see', async () => {
    const yaml = 'steps: [{ label: Ship, key: ship, command: x, concurrency: 1, concurrency_group: ship }]';
    const first = await build(yaml, { visibility: 'private' });
    const second = await build(yaml);
    const third = await again(second.slug);
    const full = await explain(second, 'ship');
    expect(full).toMatchObject({
      reason: 'concurrency_group',
      message: 'The concurrency group "ship" is full: its slot is taken.',
    });
    expect(full.jobs).toEqual([expect.objectContaining({ id: first.jobs[0].id, state: 'scheduled' })]);
    await surfaces.world.services.db.updateTable('organizations').set({ teamsEnabled: true }).execute();
    const team = await surfaces.world.insert('teams', {
      organizationId: surfaces.world.organization.id,
      slug: 'shippers',
      name: 'Shippers',
    });
    const seen = await surfaces.world.services.db
      .selectFrom('pipelines')
      .select('id')
      .where('slug', '=', second.slug)
      .executeTakeFirstOrThrow();
    await surfaces.world.insert('team_pipelines', {
      organizationId: surfaces.world.organization.id,
      teamId: team,
      pipelineId: seen.id,
      accessLevel: 'read_only',
    });
    const person = await surfaces.world.person({ organizationId: surfaces.world.organization.id });
    await surfaces.world.insert('team_members', {
      organizationId: surfaces.world.organization.id,
      teamId: team,
      userId: person.id,
      role: 'member',
    });
    expect(await explain(second, 'ship', person)).toMatchObject({ reason: 'concurrency_group', jobs: [] });
    const hidden = await surfaces.rest(['get', `${pathOf(first)}/jobs/${first.jobs[0].id}/explanation`], person);
    expect(hidden.status).toBe(404);
    await surfaces.world.services.db.updateTable('organizations').set({ teamsEnabled: false }).execute();
    expect(names(await explain(third, 'ship'))).toEqual(['Ship']);
  });

  test('steps that do not apply to the build say why', async () => {
    const made = await build(`
steps:
  - { label: Skipped, key: skipped, command: x, skip: "no network here" }
  - { label: Branches, key: branches, command: x, branches: release }
  - { label: Condition, key: condition, command: x, if: "build.branch == 'release'" }
`);
    expect(await explain(made, 'skipped')).toMatchObject({
      state: 'broken',
      reason: 'skip',
      message: 'The step is skipped: no network here',
    });
    expect(await explain(made, 'branches')).toMatchObject({ reason: 'branches' });
    expect(await explain(made, 'condition')).toMatchObject({ reason: 'condition' });
    expect(await explainBuild(made)).toMatchObject({ state: 'not_run', reason: 'not_run' });
  });

  test('jobs behind a failure name the job that failed, and a canceled job and build the person', async () => {
    const agent = await ScriptedAgent.connected(agents, surfaces.world.agentToken, { priority: '9' });
    const made = await build(
      'steps: [{ label: Compile, key: compile, command: make, priority: 20 }, wait, { label: Deploy, key: deploy, command: x }]',
    );
    const job = await agent.takeJob();
    expect(job).toBe(made.jobs[0].id);
    await agent.finish(job, { exit_status: '1' }).expect(200);
    expect(names(await explain(made, 'deploy'))).toEqual(['Compile']);
    expect(await explain(made, 'deploy')).toMatchObject({
      state: 'waiting_failed',
      reason: 'dependency_failed',
      message: 'Does not run because of the end of "Compile".',
    });
    await agent.call('post', '/disconnect').expect(200);
    const canceled = await again(made.slug);
    await surfaces.read(['put', `${pathOf(canceled)}/jobs/${canceled.jobs[0].id}/cancel`]);
    const { admin } = surfaces.world;
    expect(await explain(canceled, 'compile')).toMatchObject({
      reason: 'canceled',
      message: 'Canceled by request.',
      canceled_by: { id: admin.id },
    });
    const whole = await again(made.slug);
    await surfaces.read(['put', `${pathOf(whole)}/cancel`]);
    expect(await explain(whole, 'compile')).toMatchObject({ reason: 'build_canceled' });
    expect(await explainBuild(whole)).toMatchObject({ reason: 'canceled', canceled_by: { id: admin.id } });
  });

  test('a build that a newer one superseded names it', async () => {
    const older = await build('steps: [{ label: Compile, key: compile, command: make }]', {
      skipQueuedBranchBuilds: true,
    });
    const newer = await again(older.slug);
    expect(await explainBuild(older)).toMatchObject({
      state: 'skipped',
      reason: 'superseded',
      superseded_by: { id: newer.id, number: 2 },
    });
    expect(await explain(older, 'compile')).toMatchObject({ state: 'skipped', reason: 'build_skipped' });
    expect(await explainBuild(newer)).toMatchObject({ reason: null, superseded_by: null });
  });

  test('a trigger job waits for the build that it started', async () => {
    const target = await build('steps: [{ label: Ship, key: ship, command: x }]');
    const made = await build(`steps: [{ trigger: ${target.slug}, label: Downstream, key: downstream }]`);
    expect(await explain(made, 'downstream')).toMatchObject({
      state: 'running',
      reason: 'triggered_build',
      triggered_build: { number: 2 },
    });
  });
});
