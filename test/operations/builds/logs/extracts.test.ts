import type { Express } from 'express';
import { sql } from 'kysely';
import { deleteJobLog } from '../../../../src/operations/builds/logs/delete.js';
import { createBuild } from '../../../../src/operations/builds/create.js';
import { deletePipeline } from '../../../../src/operations/pipelines/delete.js';
import { limits } from '../../../../src/domain/limits/limits.js';
import { digestLog } from '../../../../src/resources/builds/logs/merged/digest-log.js';
import { logRef, logStore } from '../../../../src/resources/builds/logs/log-store.js';
import { appendChunk } from '../../../../src/storage/logs/append-chunk.js';
import { TaskTooDear } from '../../../../src/workers/pool.js';
import type { JobRow, PipelineRow } from '../../../../src/entities/database.js';
import { agentApp, jobNow, ScriptedAgent } from '../../../support/scripted-agent.js';
import { runUntilIdle } from '../../../support/run-until-idle.js';
import { World } from '../../../support/world.js';

const steps = 'steps: [{ command: make, key: make }]';

describe('what is stored of the lines of a log', () => {
  let world: World;
  let agents: Express;
  beforeAll(async () => {
    world = await World.create();
    agents = agentApp(world);
  });
  afterAll(() => world.close());

  const db = () => world.services.db;

  /** Runs a build of one job, whose log these lines are. */
  async function run(
    pipeline: PipelineRow,
    lines: readonly string[],
    { status = 0, branch = 'main' } = {},
  ): Promise<JobRow> {
    await world.perform(world.admin, createBuild, { pipeline: { id: pipeline.id }, commit: 'HEAD', branch });
    await runUntilIdle(world.services);
    const agent = await ScriptedAgent.connected(agents, world.agentToken);
    const id = await agent.takeJob();
    await agent.chunk(id, 1, 0, lines.map((line) => `${line}\n`).join('')).expect(201);
    world.clock.advance(1);
    await agent.finish(id, { exit_status: String(status) }).expect(200);
    await agent.call('post', '/disconnect').expect(200);
    await runUntilIdle(world.services);
    return jobNow(world, id);
  }

  const extractOf = ({ id }: JobRow) =>
    db().selectFrom('log_extracts').selectAll().where('jobId', '=', id).executeTakeFirst();
  const passedOf = async ({ id }: PipelineRow) =>
    (
      await db()
        .selectFrom('passed_logs')
        .select(['jobId', 'isDefaultBranch'])
        .where('pipelineId', '=', id)
        .orderBy('jobId')
        .execute()
    ).map(({ jobId, isDefaultBranch }) => `${isDefaultBranch ? 'default' : 'other'} ${jobId}`);

  test('a failed job has an extract of the lines that no passed run of its step has', async () => {
    const pipeline = await world.pipeline(steps);
    const first = await run(pipeline, ['got 3 files', 'error: flaky mirror', 'done'], { status: 1 });
    expect(await extractOf(first)).toMatchObject({ content: 'error: flaky mirror', places: [[1, 'error']] });

    await run(pipeline, ['got 4 files', 'error: flaky mirror', 'done']);
    const failed = await run(pipeline, ['got 9 files', 'error: flaky mirror', 'error: no brakes', '  at wheel'], {
      status: 1,
      branch: 'topic',
    });
    expect(await extractOf(failed)).toMatchObject({
      organizationId: world.organization.id,
      pipelineId: pipeline.id,
      content: 'error: no brakes\n  at wheel',
      places: [
        [2, 'failure_only'],
        [3, 'failure_only'],
      ],
      decisive: 0,
    });
  });

  test('another step of the pipeline is not compared with', async () => {
    const pipeline = await world.pipeline(steps);
    await run(pipeline, ['error: always']);
    await db().updateTable('passed_logs').set({ step: 'other' }).where('pipelineId', '=', pipeline.id).execute();
    const failed = await run(pipeline, ['error: always'], { status: 1 });
    expect(await extractOf(failed)).toMatchObject({ places: [[0, 'error']] });
  });

  test('the newest passed runs are kept, on the default branch and on others, and no more', async () => {
    const pipeline = await world.pipeline(steps);
    const jobs: JobRow[] = [];
    for (let at = 0; at < 5; at += 1) jobs.push(await run(pipeline, [`word${'abcde'[at]}`]));
    const names = (kept: JobRow[], kind: string) => kept.map(({ id }) => `${kind} ${id}`);
    // Those that passed within ten minutes of the third are not looked at.
    expect(await passedOf(pipeline)).toEqual(names(jobs.slice(0, 3), 'default'));
    world.clock.advance(11 * 60);
    jobs.push(await run(pipeline, ['worde']));
    expect(await passedOf(pipeline)).toEqual(names([jobs[1]!, jobs[2]!, jobs[5]!], 'default'));
    const other = await run(pipeline, ['worde'], { branch: 'topic' });
    expect((await passedOf(pipeline)).sort()).toEqual(
      [...names([jobs[1]!, jobs[2]!, jobs[5]!], 'default'), `other ${other.id}`].sort(),
    );
    // Again, as a message that is delivered twice.
    await digestLog(world.services, other);
    expect(await passedOf(pipeline)).toHaveLength(4);
  });

  test('of a pipeline with many steps the oldest go', async () => {
    const pipeline = await world.pipeline(steps);
    const old = await run(pipeline, ['old']);
    await sql`insert into passed_logs
      select pipeline_id, i::text, is_default_branch, job_id, organization_id, hashes, created_at
      from passed_logs, generate_series(1, ${limits.passedLogsOfPipeline + 20}::int) as i
      where pipeline_id = ${pipeline.id}`.execute(db());
    const last = await run(pipeline, ['new'], { branch: 'topic' });
    const rows = await passedOf(pipeline);
    expect(rows).toHaveLength(limits.passedLogsOfPipeline);
    expect(rows).toContain(`other ${last.id}`);
    expect(rows).toContain(`default ${old.id}`);
  });

  test('they outlive the log that they are of, and go with the pipeline; extracts go with a log that is deleted', async () => {
    const pipeline = await world.pipeline(steps);
    const passed = await run(pipeline, ['error: always']);
    const failed = await run(pipeline, ['error: always', 'error: new'], { status: 1 });
    await world.perform(world.admin, deleteJobLog, { job: { id: passed.id } });
    const again = await run(pipeline, ['error: always', 'error: newer'], { status: 1 });
    expect(await extractOf(again)).toMatchObject({ content: 'error: newer' });
    await world.perform(world.admin, deleteJobLog, { job: { id: failed.id } });
    expect(await extractOf(failed)).toBeUndefined();
    expect(await passedOf(pipeline)).toHaveLength(1);
    await world.perform(world.admin, deletePipeline, { pipeline: { id: pipeline.id } });
    await runUntilIdle(world.services);
    expect([await extractOf(again), await passedOf(pipeline)]).toEqual([undefined, []]);
  });

  test('a chunk that comes after the end takes the extract with it, and a log that changes meanwhile has none', async () => {
    const pipeline = await world.pipeline(steps);
    const failed = await run(pipeline, ['error: one'], { status: 1 });
    const logs = logStore(world.services, failed.organizationId);
    const add = (sequence: number, offset: number) =>
      appendChunk(logs, logRef(failed), { sequence, offset, size: 5, bytes: Buffer.from('more\n') });
    await add(2, 11);
    expect(await extractOf(failed)).toBeUndefined();
    const { workers } = world.services;
    const run2 = vi.spyOn(workers, 'run').mockImplementationOnce(async (...call) => {
      await add(3, 16);
      return workers.run(...call);
    });
    await digestLog(world.services, failed);
    run2.mockRestore();
    expect(await extractOf(failed)).toBeUndefined();
    await digestLog(world.services, failed);
    expect(await extractOf(failed)).toMatchObject({ content: 'error: one' });
  });

  test('a log whose extract is too dear to make is merged and searched like any other', async () => {
    const { workers } = world.services;
    const { run: ofPool } = workers;
    const dear = vi.spyOn(workers, 'run').mockImplementation(async (...call) => {
      if (call[0] === 'log.extract' || call[0] === 'log.hash') throw new TaskTooDear(call[0], 'time');
      return ofPool.apply(workers, call);
    });
    const pipeline = await world.pipeline(steps);
    const passed = await run(pipeline, ['ok']);
    const failed = await run(pipeline, ['error: one'], { status: 1 });
    dear.mockRestore();
    expect([await extractOf(failed), await passedOf(pipeline)]).toEqual([undefined, []]);
    for (const job of [passed, failed]) {
      expect((await jobNow(world, job.id)).logCompactedAt).not.toBeNull();
      expect(await db().selectFrom('log_filters').select('size').where('jobId', '=', job.id).execute()).toHaveLength(1);
    }
    expect(await db().selectFrom('outbox_messages').select('id').execute()).toEqual([]);
  });

  test('a passed log with more lines that differ than may be is compared with none', async () => {
    const pipeline = await world.pipeline(steps);
    const word = (at: number) => String(at).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
    const many = Array.from({ length: limits.passedLogLines + 1 }, (_, at) => word(at));
    const job = await run(pipeline, ['ok']);
    const logs = logStore(world.services, job.organizationId);
    const bytes = Buffer.from(many.map((line) => `${line}\n`).join(''));
    await db().deleteFrom('passed_logs').execute();
    for (let at = 0, sequence = 2; at < bytes.length; at += 100_000, sequence += 1) {
      const part = bytes.subarray(at, at + 100_000);
      await appendChunk(logs, logRef(job), { sequence, offset: 3 + at, size: part.length, bytes: part });
    }
    await digestLog(world.services, job);
    expect(await passedOf(pipeline)).toEqual([]);
  });
});
