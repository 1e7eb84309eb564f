import { sql } from 'kysely';
import { artifactKey } from '../../src/core/build-folder.js';
import type { BuildRow, JobRow } from '../../src/entities/database.js';
import { assignPositions } from '../../src/event-stream/assign-positions.js';
import { createAnnotation } from '../../src/operations/builds/annotations/create.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { retryJob } from '../../src/operations/builds/jobs/retry.js';
import { logRef } from '../../src/resources/builds/logs/log-store.js';
import { logFolder } from '../../src/storage/logs/chunk-index.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import type { World } from '../support/world.js';

/** Something done to rows or bytes behind the program's back. */
export interface Damage {
  what: string;
  /** The beginning of its finding: promise and subject. */
  finding: RegExp;
  /** What the operator does about it; absent for what `--repair` mends. */
  byHand?: () => Promise<unknown>;
}

interface Finished {
  build: BuildRow;
  job: JobRow;
}

/** A build with one job that an agent ran, with a log of two chunks. */
export async function finishedBuild(world: World, exitStatus = '0'): Promise<Finished> {
  const { build, first } = await buildOf(world, 'steps: [{ command: "true" }]');
  expect(await runNext(world, exitStatus)).toBe(first.id);
  return { build, job: first };
}

/** Has a new agent run the next job of the default queue; returns its id. */
async function runNext(world: World, exitStatus = '0'): Promise<string> {
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  const id = await agent.takeJob();
  await agent.chunk(id, 1, 0, 'first line\n').expect(201);
  await agent.chunk(id, 2, 11, 'second line\n').expect(201);
  await agent.finish(id, { exit_status: exitStatus }).expect(200);
  await agent.call('post', '/disconnect').expect(200);
  return id;
}

/** Damages an installation in every way that a check knows, each in a build of its own. */
export async function damageAll(world: World): Promise<Damage[]> {
  return [
    ...(await damageCounters(world)),
    ...(await damageJobs(world)),
    ...(await damageConcurrency(world)),
    ...(await damageReferences(world)),
    ...(await damageEffects(world)),
    ...(await damageSecrets(world)),
    ...(await damageBytes(world)),
    ...(await damageIndexes(world)),
  ];
}

const runner =
  ({ services }: World) =>
  (statement: ReturnType<typeof sql>) =>
    statement.execute(services.db);

async function damageCounters(world: World): Promise<Damage[]> {
  const run = runner(world);
  const damages: Damage[] = [];
  const add = async (what: string, finding: (done: Finished) => string, damage: (done: Finished) => unknown) => {
    const done = await finishedBuild(world);
    await damage(done);
    damages.push({ what, finding: new RegExp(`^${finding(done)}`) });
  };
  const slugOf = async ({ build }: Finished) => {
    const { rows } = await sql<{ slug: string }>`select slug from pipelines where id = ${build.pipelineId}`.execute(
      world.services.db,
    );
    return rows[0]?.slug ?? '';
  };
  const slugs = new Map<string, string>();
  const named = async (done: Finished) => void slugs.set(done.build.id, await slugOf(done));
  const slug = ({ build }: Finished) => `acme/${slugs.get(build.id)}`;
  await add(
    'the counter of events of a build is too low',
    (done) => `I12 build ${slug(done)} #1: is event_sequence 1;`,
    async (done) => {
      await named(done);
      await run(sql`update builds set event_sequence = 1 where id = ${done.build.id}`);
    },
  );
  await add(
    'a build counts uploads that were never made',
    (done) => `I12 build ${slug(done)} #1: is upload_count 7;`,
    async (done) => {
      await named(done);
      await run(sql`update builds set upload_count = 7 where id = ${done.build.id}`);
    },
  );
  await add(
    'the next build number of a pipeline is given already',
    (done) => `I3 pipeline ${slug(done)}: is next_build_number 1,`,
    async (done) => {
      await named(done);
      await run(sql`update pipelines set next_build_number = 1 where id = ${done.build.pipelineId}`);
    },
  );
  await add(
    'a pipeline counts builds that it does not have',
    (done) => `I12 pipeline ${slug(done)}: is counts .* lack -2 scheduledBuilds`,
    async (done) => {
      await named(done);
      await run(sql`insert into pipeline_counts
        (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
        values (${done.build.pipelineId}, 2, 0, 0, 0, 0)`);
    },
  );
  await add(
    'a log has another size than its chunks',
    ({ job }) => `I7 log of job ${job.id} `,
    ({ job }) => run(sql`update log_usage set bytes = bytes + 5 where job_id = ${job.id}`),
  );
  await add(
    'a log has lost its usage',
    ({ job }) => `I7 log of job ${job.id} `,
    async ({ job }) => {
      await run(sql`delete from log_usage where job_id = ${job.id}`);
      await run(sql`update jobs set log_size = 0 where id = ${job.id}`);
    },
  );
  return damages;
}

async function damageJobs(world: World): Promise<Damage[]> {
  const run = runner(world);
  const damages: Damage[] = [];
  const wrongState = await finishedBuild(world);
  await run(sql`update builds set state = 'running', finished_at = null where id = ${wrongState.build.id}`);
  damages.push({
    what: 'a build is running, and its jobs have passed',
    finding: /^I5 build .*: is running; should be passed/,
  });

  const backwards = await finishedBuild(world);
  await run(sql`update jobs set finished_at = started_at - interval '1 hour' where id = ${backwards.job.id}`);
  damages.push({ what: 'a job ended before it started', finding: new RegExp(`^I20 job ${backwards.job.id} `) });

  const failed = await finishedBuild(world, '1');
  await world.perform(world.admin, retryJob, { job: { id: failed.job.id } });
  await runNext(world);
  await run(sql`update jobs set retried = false, retried_in_job_id = null where id = ${failed.job.id}`);
  damages.push({ what: 'a job has forgotten its retry', finding: new RegExp(`^I14 job ${failed.job.id} `) });
  damages.push({
    what: 'and so the failure of the job would count',
    finding: /^I5 build .* #1: is passed; should be failed, with a failed job/,
  });

  const changed = await finishedBuild(world);
  const pass = sql`job_id = ${changed.job.id} and type = 'job.pass'`;
  await run(sql`update events set to_state = 'running' where ${pass}`);
  damages.push({
    what: 'a job has another state than its last event says',
    finding: new RegExp(`^I4 job ${changed.job.id} `),
    byHand: () => run(sql`update events set to_state = 'finished' where ${pass}`),
  });

  const held = await buildOf(world, 'steps: [{ command: "sleep 9", agents: { queue: macos } }]');
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken, { meta_data: ['queue=macos'] });
  expect(await agent.takeJob()).toBe(held.first.id);
  await run(sql`delete from agents where id = ${agent.id}`);
  damages.push({
    what: 'the agent of a running job is gone',
    finding: new RegExp(`^I6 job ${held.first.id} .*running by`),
  });

  const waiting = await buildOf(world, 'steps: [{ command: "true", agents: { queue: macos } }]');
  await run(sql`update jobs set deadline_at = null where id = ${waiting.first.id}`);
  damages.push({ what: 'a job waits without a deadline', finding: new RegExp(`^I6 job ${waiting.first.id} `) });

  await world.pipeline('steps: [{ command: "true", agents: { queue: macos } }]', { slug: 'downstream' });
  const parent = await world.pipeline('steps: [{ trigger: downstream }]');
  await world.perform(world.admin, createBuild, { pipeline: { id: parent.id }, commit: 'HEAD', branch: 'main' });
  await runUntilIdle(world.services);
  const { rows } = await sql<{ id: string }>`
    select triggered_build_id as id from jobs where pipeline_id = ${parent.id}`.execute(world.services.db);
  for (const table of ['jobs', 'steps', 'events'])
    await run(sql`delete from ${sql.table(table)} where build_id = ${rows[0]?.id}`);
  await run(sql`delete from builds where id = ${rows[0]?.id}`);
  damages.push({
    what: 'the build that a trigger job waits for is gone',
    finding: new RegExp(`^I6 job .*/${parent.slug} #1: is waiting for the build`),
  });
  return damages;
}

async function damageConcurrency(world: World): Promise<Damage[]> {
  const run = runner(world);
  const pipeline = await world.pipeline(
    'steps: [{ command: "true", concurrency: 1, concurrency_group: line, agents: { queue: macos } }]',
  );
  for (let number = 1; number <= 2; number += 1)
    await world.perform(world.admin, createBuild, { pipeline: { id: pipeline.id }, commit: 'HEAD', branch: 'main' });
  await runUntilIdle(world.services);
  // As if the slot of a job that has ended had been given to nobody.
  await run(sql`update jobs set concurrency_limit = 2 where pipeline_id = ${pipeline.id}`);
  const above = await world.pipeline(
    'steps: [{ command: "true", concurrency: 2, concurrency_group: lane, agents: { queue: macos } }]',
  );
  for (let number = 1; number <= 2; number += 1)
    await world.perform(world.admin, createBuild, { pipeline: { id: above.id }, commit: 'HEAD', branch: 'main' });
  await runUntilIdle(world.services);
  await run(sql`update jobs set concurrency_limit = 1 where pipeline_id = ${above.id}`);
  return [
    {
      what: 'a free slot of a concurrency group is given to nobody',
      finding: /^I8 concurrency group line of acme: is 1 jobs wait/,
    },
    {
      what: 'a concurrency group is above its limit',
      finding: /^I8 concurrency group lane of acme: is 2 jobs hold a slot/,
      byHand: () => run(sql`update jobs set concurrency_limit = 2 where pipeline_id = ${above.id}`),
    },
  ];
}

async function damageReferences(world: World): Promise<Damage[]> {
  const run = runner(world);
  const { build } = await finishedBuild(world);
  await run(sql`delete from pipelines where id = ${build.pipelineId}`);
  const { job } = await finishedBuild(world);
  await run(sql`insert into log_chunks (job_id, sequence, organization_id, start_offset, size, stored_key, stored_size)
    select ${build.id}, sequence, organization_id, start_offset, size, stored_key, stored_size
    from log_chunks where job_id = ${job.id} limit 1`);
  await run(sql`insert into team_members (id, organization_id, team_id, user_id, role, created_at)
    select gen_random_uuid(), ${world.organization.id}, gen_random_uuid(), ${world.member.id}, 'member', now()`);
  return [
    {
      what: 'a pipeline is gone and its builds are not',
      finding: new RegExp(`^I19 1 rows of builds with pipeline_id ${build.pipelineId}: `),
    },
    {
      what: 'a log is of a job that does not exist',
      finding: new RegExp(`^I19 1 rows of log_chunks with job_id ${build.id}: `),
    },
    { what: 'somebody is in a team that does not exist', finding: /^I19 1 rows of team_members with team_id / },
  ];
}

async function damageEffects(world: World): Promise<Damage[]> {
  const run = runner(world);
  await run(sql`insert into outbox_messages (id, topic, payload, attempts, available_at, failed_at, created_at)
    values (gen_random_uuid(), 'trigger.settle', '{"buildId": "00000000-0000-4000-8000-000000000000"}', 12, now(), now(), now())`);
  while (await assignPositions(world.services));
  await run(sql`update event_streams set last_position = 0`);
  return [
    { what: 'an effect was given up', finding: /^I10 message trigger.settle / },
    {
      what: 'the event stream begins again with positions that were given',
      finding: /^I13 event stream: is last position 0: /,
    },
  ];
}

async function damageSecrets(world: World): Promise<Damage[]> {
  const run = runner(world);
  const { id, badgeTokenSealed: before } = await world.pipeline('steps: [{ command: "true" }]');
  const badge = (value: string | null) => run(sql`update pipelines set badge_token_sealed = ${value} where id = ${id}`);
  await badge(`${before?.slice(0, -6)}AAAAAA`);
  await run(sql`insert into idempotency_keys (api_token_id, key, operation, fingerprint, reply_body, created_at)
    select id, 'key-of-a-request', 'build.create', '', 'v2.0000.lost', now() from api_tokens limit 1`);
  return [
    {
      what: 'a secret cannot be read any more',
      finding: new RegExp(`^secrets pipelines.badge_token_sealed of ${id}: `),
      byHand: () => badge(before),
    },
    {
      what: 'a kept reply cannot be read any more',
      finding: /^secrets idempotency_keys.reply_body of .* key-of-a-request: /,
    },
  ];
}

async function damageBytes(world: World): Promise<Damage[]> {
  const { db, storage } = world.services;
  const lost = await finishedBuild(world);
  const chunk = await db
    .selectFrom('log_chunks')
    .select('storedKey')
    .where('jobId', '=', lost.job.id)
    .where('sequence', '=', 1)
    .executeTakeFirstOrThrow();
  const bytes = Buffer.concat((await storage.get(chunk.storedKey)?.then((body) => body?.toArray())) ?? []);
  await storage.delete(chunk.storedKey);

  const { build, job } = await finishedBuild(world);
  const { rows } = await sql<{ id: string }>`
    insert into artifacts (id, organization_id, pipeline_id, build_id, job_id, batch_id, position, state, path,
      content_type, file_size, sha1sum, sha256sum, created_at, finished_at)
    values (gen_random_uuid(), ${build.organizationId}, ${build.pipelineId}, ${build.id}, ${job.id}, gen_random_uuid(),
      0, 'finished', 'a.txt', 'text/plain', 5, '',
      '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', now(), now())
    returning id`.execute(db);
  const artifact = artifactKey({ organizationId: build.organizationId, buildId: build.id, id: rows[0]?.id ?? '' });
  await storage.put(artifact, Buffer.from('hallo'));

  const orphan = `${logFolder(logRef(job))}chunks/000000000099-9-00000000000000000000000000000000.gz`;
  await storage.put(orphan, Buffer.from('x'));
  return [
    {
      what: 'an object of a log is lost',
      finding: new RegExp(`^I19 object ${chunk.storedKey} of logs: is not in the storage`),
      byHand: () => storage.put(chunk.storedKey, bytes),
    },
    {
      what: 'an artifact has other bytes',
      finding: new RegExp(`^I19 object ${artifact} of artifacts: is SHA-256 `),
      byHand: () => storage.put(artifact, Buffer.from('hello')),
    },
    { what: 'bytes are stored that no row names', finding: new RegExp(`^I19 object ${orphan}: `) },
  ];
}

async function damageIndexes(world: World): Promise<Damage[]> {
  const run = runner(world);
  const { build } = await finishedBuild(world);
  await world.perform(world.admin, createAnnotation, {
    of: { build: { id: build.id } },
    context: 'default',
    body: 'one',
  });
  await run(sql`drop index annotations_context_of_build_unique`);
  await run(sql`insert into annotations (id, organization_id, build_id, context, style, priority, body, created_at, updated_at)
    select gen_random_uuid(), organization_id, build_id, context, style, priority, 'two', created_at, updated_at
    from annotations where build_id = ${build.id}`);
  const byHand = async () => {
    await run(sql`delete from annotations where build_id = ${build.id} and body = 'two'`);
    await run(
      sql`create unique index "annotations_context_of_build_unique" on "annotations" ("build_id", "context") where "job_id" is null`,
    );
  };
  return [
    {
      what: 'a build has two annotations of one context',
      finding: new RegExp(`^I15 annotations by build_id, context: ${build.id} default: `),
      byHand,
    },
    {
      what: 'a unique index is gone',
      finding: /^I15 annotations by build_id, context: is without a valid/,
      byHand: async () => undefined,
    },
  ];
}
