import type { Context } from '../../context.js';
import { jsonb, jsonbOrNull } from '../../database/row-conversion.js';
import type { JobRow, NewRow } from '../../entities/database.js';
import { recordJobChange } from './apply-changes.js';

export interface RetryFacts {
  type: 'automatic' | 'manual';
  /** How often each automatic rule has fired along the chain, this time included. */
  ruleUses: number[];
}

/**
 * Puts a new attempt of a job into its build, with the same configuration, in state `pending`: the caller advances
 * the build. The old job stays, marked as retried; the guard makes the chain of retries a path (I14).
 */
export async function insertRetry(context: Context, job: JobRow, retry: RetryFacts): Promise<JobRow> {
  const id = context.newId();
  const marked = await context.db
    .updateTable('jobs')
    .set({ retried: true, retriedInJobId: id, retriedById: context.userId })
    .where('id', '=', job.id)
    .where('retried', '=', false)
    .executeTakeFirst();
  if (Number(marked.numUpdatedRows) !== 1) throw new Error(`job ${job.id} was retried although its build was locked`);
  const row: NewRow<'jobs'> = {
    id,
    organizationId: job.organizationId,
    pipelineId: job.pipelineId,
    buildId: job.buildId,
    stepId: job.stepId,
    type: job.type,
    position: job.position,
    state: 'pending',
    label: job.label,
    command: job.command,
    env: jsonb(job.env) as never,
    plugins: jsonbOrNull(job.plugins) as never,
    agentQueryRules: job.agentQueryRules,
    artifactPaths: job.artifactPaths,
    priority: job.priority,
    timeoutInMinutes: job.timeoutInMinutes,
    parallelGroupIndex: job.parallelGroupIndex,
    parallelGroupTotal: job.parallelGroupTotal,
    matrix: jsonbOrNull(job.matrix) as never,
    softFail: jsonbOrNull(job.softFail) as never,
    clusterId: job.clusterId,
    clusterQueueId: job.clusterQueueId,
    concurrencyGroup: job.concurrencyGroup,
    concurrencyLimit: job.concurrencyLimit,
    concurrencyMethod: job.concurrencyMethod,
    async: job.async,
    retrySourceId: job.id,
    retriesCount: (job.retriesCount ?? 0) + 1,
    retryType: retry.type,
    retryRuleUses: jsonb(retry.ruleUses) as never,
    createdAt: context.now,
    scheduledAt: context.now,
  };
  const inserted = await context.db.insertInto('jobs').values(row).returningAll().executeTakeFirstOrThrow();
  recordJobChange(context, job, 'retried', job.state, retry.type);
  return inserted;
}
