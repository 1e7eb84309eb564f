import { createAnnotation } from '../../src/operations/builds/annotations/create.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { createMaintainer } from '../../src/operations/agents/cluster-maintainers/create.js';
import { createNotificationService } from '../../src/operations/integrations/notification-services/create.js';
import { pingNotificationService } from '../../src/operations/integrations/notification-services/ping.js';
import { perform } from '../../src/core/operation.js';
import { createRule } from '../../src/operations/agents/rules/create.js';
import { createSchedule } from '../../src/operations/pipelines/schedules/create.js';
import { createTrigger } from '../../src/operations/pipelines/triggers/create.js';
import { createProviderConnection } from '../../src/operations/integrations/provider-connections/create.js';
import { createInvitations } from '../../src/operations/organizations/invitations/create.js';
import { createSecret } from '../../src/operations/agents/secrets/create.js';
import { upsertBanner } from '../../src/operations/organizations/banners/upsert.js';
import { createSuite } from '../../src/operations/suites/create.js';
import { storeTestOwnership } from '../../src/operations/suites/test-ownership/store.js';
import { createUpload } from '../../src/operations/suites/uploads/create.js';
import { receiveDelivery } from '../../src/operations/integrations/webhook-deliveries/receive.js';
import { leaveSearch } from './one-search.js';
import { leaveWorkflow } from './one-workflow.js';
import { agentApp, ScriptedAgent } from './scripted-agent.js';
import type { World } from './world.js';
import { webhookTokenOf } from '../../src/resources/pipelines/url-token.js';

/** Values for the parameters of a path. */
export type PathValues = (path: string) => Readonly<Record<string, string>>;

/**
 * One of everything that a path of /v2 can name, in the organization `acme` on the enterprise plan: a pipeline `app`
 * of these steps with one build, and a team whose one member is the world's. Returns the values of a path's parameters.
 */
export async function oneOfEverything(world: World, configuration: string): Promise<PathValues> {
  const { admin, services } = world;
  const { db } = services;
  const acme = { organization: { slug: 'acme' } };
  const other = await world.pipeline(configuration, { slug: 'other' });
  const pipeline = await world.pipeline(configuration, { slug: 'app' });
  const { suite } = await world.perform(admin, createSuite, { ...acme, name: 'RSpec', defaultBranch: 'main' });
  const ofTeam = await makeTeam(world, { pipeline: pipeline.id, suite: suite.id });
  const { build } = await world.perform(admin, createBuild, {
    pipeline: { id: pipeline.id },
    commit: 'HEAD',
    branch: 'main',
  });
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('buildId', '=', build.id)
    .where('type', '=', 'command')
    .executeTakeFirstOrThrow();
  const upload = {
    format: 'json',
    runEnv: { key: build.id },
    data: [{ scope: 'a', name: 'b', result: 'failed', failure_reason: 'no' }],
  };
  const collector = world.context({ kind: 'suite', suiteId: suite.id, organizationId: suite.organizationId });
  const { run } = await perform(createUpload, collector, upload);
  await perform(storeTestOwnership, collector, { file: '# nobody yet' });
  const test = await db.selectFrom('suite_tests').select('id').executeTakeFirstOrThrow();
  const execution = await db.selectFrom('suite_executions').select('id').executeTakeFirstOrThrow();
  await world.perform(admin, upsertBanner, { ...acme, message: 'Welcome' });
  const invited = await world.perform(admin, createInvitations, { ...acme, emails: ['grace@example.com'] });
  const connection = await world.perform(admin, createProviderConnection, {
    ...acme,
    provider: 'github',
    token: 'ghp_token',
  });
  const received = {
    token: webhookTokenOf(world.services, pipeline),
    sender: 'github',
    event: 'ping',
    deliveryId: 'one',
    headers: [],
    body: Buffer.from('{}'),
    payload: {},
    proof: null,
  };
  const delivery = await perform(receiveDelivery, world.system(), received);
  const trigger = await world.perform(admin, createTrigger, { pipeline: { id: pipeline.id } });
  // An annotation of a job is also found below the build.
  const annotation = await world.perform(admin, createAnnotation, { of: { job: { id: job.id } }, body: 'x' });
  const { service } = await world.perform(admin, createNotificationService, {
    ...acme,
    description: 'hook',
    settings: { url: 'http://127.0.0.1:9/hook' },
  });
  await world.perform(admin, pingNotificationService, { service: { organization: 'acme', id: service.id } });
  const notificationDelivery = await db.selectFrom('notification_deliveries').select('id').executeTakeFirstOrThrow();
  const cluster = { cluster: { id: world.clusterId } };
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  const token = await db.selectFrom('agent_tokens').select('id').executeTakeFirstOrThrow();
  const maintainer = await world.perform(admin, createMaintainer, { ...cluster, user: admin.id });
  const secret = await world.perform(admin, createSecret, { ...cluster, key: 'KEY', value: 'v' });
  const schedule = await world.perform(admin, createSchedule, { pipeline: { id: pipeline.id }, cronline: '@daily' });
  const rule = await world.perform(admin, createRule, {
    ...acme,
    type: 'pipeline.trigger_build.pipeline',
    value: { source_pipeline: 'app', target_pipeline: other.id },
  });
  const audited = await db
    .selectFrom('audit_events')
    .select('id')
    .where('organizationId', '=', world.organization.id)
    .limit(1)
    .executeTakeFirstOrThrow();
  const apiToken = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('userId', '=', world.member.id)
    .executeTakeFirstOrThrow();
  const happened = await db
    .selectFrom('events')
    .select('id')
    .where('buildId', '=', build.id)
    .where('subject', '=', 'job')
    .limit(1)
    .executeTakeFirstOrThrow();
  const ofWorkflow = await leaveWorkflow(world, { suite: suite.id, test: test.id });
  const values = {
    ...ofTeam,
    org: 'acme',
    slug: 'app',
    number: String(build.number),
    job: job.id,
    run: run.id,
    test: test.id,
    workflow: ofWorkflow.workflow,
    search: await leaveSearch(world, build),
    execution: execution.id,
    build: build.id,
    delivery: delivery.id,
    connection: connection.connection.id,
    trigger: trigger.trigger.id,
    annotation: annotation.annotation.id,
    artifact: await leaveArtifact(world, { ...build, jobId: job.id }),
    upload: await leaveStepUpload(world, { ...build, jobId: job.id }),
    service: service.id,
    agent: agent.id,
    token: token.id,
    event: audited.id,
    invitation: invited.invitations[0]?.id ?? '',
    rule: rule.rule.id,
    build_event: happened.id,
    api_token: apiToken.id,
    maintainer: maintainer.clusterMaintainer.id,
    secret: secret.secret.id,
    schedule: schedule.pipelineSchedule.id,
    cluster: world.clusterId,
    queue: world.queues.default,
  };
  // Paths below a suite's runs name the suite by slug, paths below a team name it by id.
  return (path) => ({
    ...values,
    ...(path.startsWith('/analytics') ? { suite: suite.slug } : {}),
    ...(path.includes('/services/') ? { delivery: notificationDelivery.id } : {}),
    ...(path.includes('/workflows/') ? { event: ofWorkflow.workflowEvent, delivery: ofWorkflow.workflowDelivery } : {}),
  });
}

/** A team with a member, a pipeline and a suite, and a template. */
async function makeTeam(
  world: World,
  { pipeline, suite }: { pipeline: string; suite: string },
): Promise<Record<string, string>> {
  const organizationId = world.organization.id;
  const team = await world.insert('teams', {
    organizationId,
    slug: 'core',
    name: 'Core',
    membersCanCreatePipelines: true,
    membersCanCreateSuites: true,
  });
  await world.insert('team_members', { organizationId, teamId: team, userId: world.member.id, role: 'member' });
  await world.insert('team_pipelines', {
    organizationId,
    teamId: team,
    pipelineId: pipeline,
    accessLevel: 'build_and_read',
  });
  await world.insert('team_suites', { organizationId, teamId: team, suiteId: suite, accessLevel: ['read'] });
  const by = world.admin.id;
  const template = await world.insert('pipeline_templates', {
    organizationId,
    name: 'T',
    configuration: 'steps: []',
    available: true,
    createdById: by,
    updatedById: by,
    updatedAt: world.clock.now(),
  });
  return { team, user: world.member.id, suite, pipeline, template };
}

/** Leaves a pipeline upload as the agent of a job sends it. */
export async function leaveStepUpload(
  world: World,
  { organizationId, id: buildId, jobId }: { organizationId: string; id: string; jobId: string },
): Promise<string> {
  const id = world.system().newId();
  const definition = JSON.stringify({ steps: [{ command: 'make', label: 'Make: it' }] });
  await world.services.db
    .insertInto('step_uploads')
    .values({
      id,
      organizationId,
      buildId,
      jobId,
      uuid: id,
      sequence: 1,
      state: 'applied',
      stepsCount: 1,
      jobsCount: 1,
      definition,
      definitionBytes: definition.length,
      createdAt: world.clock.now(),
    })
    .execute();
  return id;
}

async function leaveArtifact(
  world: World,
  {
    organizationId,
    pipelineId,
    id: buildId,
    jobId,
  }: { organizationId: string; pipelineId: string; id: string; jobId: string },
): Promise<string> {
  const id = world.system().newId();
  const of = { organizationId, pipelineId, buildId, jobId };
  await world.services.db
    .insertInto('artifacts')
    .values({
      id,
      ...of,
      batchId: id,
      position: 0,
      state: 'finished',
      path: 'a.html',
      contentType: 'text/html',
      fileSize: 0,
      sha1sum: '',
      createdAt: world.clock.now(),
    })
    .execute();
  return id;
}

/** The body that a route needs to get as far as looking up its subject. */
export const neededBodies: Readonly<Record<string, object>> = {
  'organization.set-build-export': { location: 'exports', strategy_id: 'file' },
  'pipeline.create': { name: 'New', repository: 'git@example.com:a/b.git', configuration: 'steps: []' },
  'annotation.create': { body: 'x' },
  'build.create': { commit: 'HEAD', branch: 'main' },
  'organization-banner.upsert': { message: 'New' },
  'organization-invitation.create': { emails: ['new@example.com'] },
  'organization-member.update': { role: 'member' },
  'pipeline-template.create': { name: 'New', configuration: 'steps: []' },
  'team.create': { name: 'New' },
  'team-member.create': { user_id: 'x', role: 'member' },
  'team-member.update': { role: 'member' },
  'team-pipeline.create': { pipeline_id: 'x', access_level: 'read_only' },
  'team-pipeline.update': { access_level: 'read_only' },
  'team-suite.create': { suite_id: 'x', access_level: ['read'] },
  'team-suite.update': { access_level: ['read'] },
  'suite.create': { name: 'New', default_branch: 'main' },
  'execution.update-tags': { executions: [{ id: '00000000-0000-7000-8000-000000000000', tags: { 'mut.a': 'b' } }] },
  'suite-test.find': { scope: 'a', name: 'b' },
  'test-plan.create': { identifier: 'build/step', parallelism: 1, tests: { files: [{ path: 'a' }] } },
  'test-plan.filter-files': { files: [{ path: 'a' }] },
  'test-plan.time-files': { paths: ['a'] },
  'test-plan.report': {
    env: { BUILDKITE_TEST_ENGINE_IDENTIFIER: 'build/step', BUILDKITE_PARALLEL_JOB: 0 },
  },
  'suite-test.label': { operator: 'add', labels: ['a'] },
  'test-workflow.create': { name: 'New tests', monitor: { type: 'new_test' } },
  'agent-token.create': { description: 'd' },
  'cluster.create': { name: 'New' },
  'pipeline-schedule.create': { cronline: '@daily' },
  'rule.create': {
    type: 'pipeline.artifacts_read.pipeline',
    value: { source_pipeline: 'app', target_pipeline: 'other' },
  },
  'queue.create': { key: 'new' },
  'secret.create': { key: 'NEW', value: 'x' },
  'secret.update-value': { value: 'x' },
  'notification-service.create': { description: 'hook', settings: { url: 'http://127.0.0.1:9/hook' } },
  'webhook-delivery.preview': { event: 'ping', payload: {} },
  'pipeline.set-webhook-secret': { secret: 'x' },
  'provider-connection.create': { provider: 'github', token: 'x' },
};
