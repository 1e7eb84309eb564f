import { z } from 'zod';
import type { Context } from '../../context.js';
import { concurrencyMemberStates } from '../../domain/agents/concurrency.js';
import type { PipelineRow } from '../../entities/database.js';
import { pipelineAddress } from '../../core/address.js';
import { buildFolder } from '../../core/build-folder.js';
import { findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import { releaseConcurrencyOf } from '../../engine/builds/apply-changes.js';
import { endJob } from '../../engine/builds/end-job.js';
import { lockJob } from '../../engine/builds/lock-job.js';
import { finishTriggerJob } from '../../engine/triggers/finish-trigger-job.js';
import type { PipelineSubject } from '../../core/subject.js';
import { recordPipeline } from '../../resources/pipelines/record.js';

/**
 * Deletes a pipeline with its builds, logs and artifacts in any state, and returns the former pipeline. Rows are
 * deleted in set-based statements, bytes after the commit (`objects.delete`). Its own events remain, as a record of who
 * deleted it.
 */
export const deletePipeline = defineOperation({
  name: 'pipeline.delete',
  summary: 'Deletes a pipeline with its builds.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  input: z.object({ pipeline: pipelineAddress }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, _input, subject: PipelineSubject): Promise<PipelineSubject> => {
    const { pipeline } = subject;
    // Everything that adds jobs or events to a build does so under its row's lock: from here on nothing is added.
    await context.db
      .selectFrom('builds')
      .select('id')
      .where('pipelineId', '=', pipeline.id)
      .orderBy('id')
      .forUpdate()
      .execute();
    await endWaitingTriggers(context, pipeline);
    await releaseSlots(context, pipeline);
    const builds = await deleteRows(context, pipeline);
    deleteObjects(context, pipeline.organizationId, builds);
    recordPipeline(context, pipeline, {
      type: 'pipeline.delete',
      data: { slug: pipeline.slug, name: pipeline.name, builds: builds.length },
    });
    return subject;
  },
});

/**
 * Ends the trigger jobs of other pipelines that wait for builds of this one: by the result of ended builds, else as
 * failed.
 */
async function endWaitingTriggers(context: Context, pipeline: PipelineRow): Promise<void> {
  const waiting = await context.db
    .selectFrom('builds as child')
    .innerJoin('jobs as j', 'j.id', 'child.triggeredFromJobId')
    .select(['child.id as childId', 'j.id as jobId', 'j.buildId'])
    .where('child.pipelineId', '=', pipeline.id)
    .where('j.pipelineId', '!=', pipeline.id)
    .where('j.state', '=', 'running')
    .orderBy('j.buildId')
    .execute();
  for (const { childId, jobId } of waiting) {
    await finishTriggerJob(context, childId);
    const locked = await lockJob(context, { id: jobId });
    if (locked?.job.state === 'running' && locked.job.triggeredBuildId === childId) {
      await endJob(context, locked.build, locked.job, {
        event: 'fail',
        exitStatus: 1,
        reason: 'triggered build deleted',
      });
    }
  }
}

/** Releases the concurrency slots that jobs of the pipeline held. */
async function releaseSlots(context: Context, pipeline: PipelineRow): Promise<void> {
  const groups = await context.db
    .selectFrom('jobs')
    .select('concurrencyGroup')
    .distinct()
    .where('pipelineId', '=', pipeline.id)
    .where('concurrencyGroup', 'is not', null)
    .where('state', 'in', [...concurrencyMemberStates])
    .execute();
  for (const { concurrencyGroup } of groups) releaseConcurrencyOf(context, pipeline.organizationId, concurrencyGroup);
}

/** Deletes every row of the pipeline, children first; returns the ids of its builds. */
async function deleteRows({ db }: Context, { id }: PipelineRow): Promise<string[]> {
  const builds = db.selectFrom('builds').select('id').where('pipelineId', '=', id);
  const jobs = db.selectFrom('jobs').select('id').where('pipelineId', '=', id);
  await db.deleteFrom('log_chunks').where('jobId', 'in', jobs).execute();
  await db.deleteFrom('log_usage').where('jobId', 'in', jobs).execute();
  await db.deleteFrom('log_header_times').where('jobId', 'in', jobs).execute();
  await db.deleteFrom('annotations').where('buildId', 'in', builds).execute();
  await db.deleteFrom('artifacts').where('pipelineId', '=', id).execute();
  await db.deleteFrom('events').where('buildId', 'in', builds).execute();
  await db.deleteFrom('build_meta_data').where('buildId', 'in', builds).execute();
  await db.deleteFrom('commit_statuses').where('buildId', 'in', builds).execute();
  await db.updateTable('suite_runs').set({ buildId: null }).where('buildId', 'in', builds).execute();
  await db.deleteFrom('step_uploads').where('buildId', 'in', builds).execute();
  await db.deleteFrom('steps').where('buildId', 'in', builds).execute();
  await db.deleteFrom('jobs').where('pipelineId', '=', id).execute();
  const deleted = await db.deleteFrom('builds').where('pipelineId', '=', id).returning('id').execute();
  await db.deleteFrom('pipeline_schedules').where('pipelineId', '=', id).execute();
  await db.deleteFrom('team_pipelines').where('pipelineId', '=', id).execute();
  await db.deleteFrom('pipeline_favorites').where('pipelineId', '=', id).execute();
  await db.deleteFrom('webhook_delivery_builds').where('pipelineId', '=', id).execute();
  await db.deleteFrom('webhook_deliveries').where('pipelineId', '=', id).execute();
  await db.deleteFrom('pull_requests').where('pipelineId', '=', id).execute();
  await db.deleteFrom('pipeline_triggers').where('pipelineId', '=', id).execute();
  await db.deleteFrom('pipeline_webhooks').where('pipelineId', '=', id).execute();
  await db.deleteFrom('branch_checks').where('pipelineId', '=', id).execute();
  await db
    .deleteFrom('rules')
    .where((eb) => eb.or([eb('sourcePipelineId', '=', id), eb('targetPipelineId', '=', id)]))
    .execute();
  await db.deleteFrom('pipelines').where('id', '=', id).execute();
  return deleted.map((build) => build.id);
}

const prefixesPerMessage = 200;

/** Queues deletion of the folders that hold the logs and artifacts of builds. */
function deleteObjects(context: Context, organizationId: string, builds: readonly string[]): void {
  for (let start = 0; start < builds.length; start += prefixesPerMessage) {
    const prefixes = builds.slice(start, start + prefixesPerMessage).map((id) => buildFolder(organizationId, id));
    context.send({ topic: 'objects.delete', organizationId, payload: { prefixes } });
  }
}
