import type { Context } from '../../../request/context.js';
import { notFound } from '../../../domain/problem.js';
import type { JobRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { defineOperation } from '../../../core/operation.js';
import { loadJobEnvironment } from '../../../resources/builds/jobs/load-environment.js';
import { findStack, stackInput, type StackSubject } from '../../../resources/agents/stacks/find-stack.js';
import { jobInput } from '../../../resources/builds/jobs/held-job.js';

interface JobOfStack extends StackSubject {
  job: JobRow;
}

/** What an agent of the stack will be sent, without what depends on the agent. */
export interface JobToRun {
  id: string;
  env: Record<string, string>;
  command: string;
}

/** GET jobs/:id of a stack: the environment and the command of a job of its cluster. */
export const readJobOfStack = defineOperation({
  name: 'stack.read-job',
  summary: 'Returns the environment and the command of a job.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: stackInput.extend(jobInput.shape),
  subject: async (context, { stack, job }): Promise<JobOfStack> => {
    const row = await findStack(context, stack);
    return { ...row, job: await findJob(context, row, job) };
  },
  run: async (context, _input, { job }): Promise<JobToRun> => ({
    id: job.id,
    env: await loadJobEnvironment(context, job),
    command: job.command ?? '',
  }),
});

async function findJob(context: Context, { token }: StackSubject, id: string): Promise<JobRow> {
  const job = isId(id)
    ? await context.db
        .selectFrom('jobs')
        .selectAll()
        .where('id', '=', id)
        .where('organizationId', '=', token.organizationId)
        .where('clusterId', '=', token.clusterId)
        .where('type', '=', 'command')
        .where(hasPipeline('jobs.pipelineId'))
        .executeTakeFirst()
    : undefined;
  if (!job) throw notFound('The cluster of this agent token has no such job');
  return job;
}
