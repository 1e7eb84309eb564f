import type { JobState } from '../../../domain/builds/job-state.js';
import { isId } from '../../../core/address.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { defineOperation } from '../../../core/operation.js';
import { findStack, jobIdsInput, stackInput } from '../../../resources/agents/stacks/find-stack.js';

/** POST get-states: the states of command jobs of the stack's cluster by their ids; others are left out. */
export const readJobStatesOfStack = defineOperation({
  name: 'stack.read-job-states',
  summary: 'Returns the states of jobs.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: stackInput.extend({ jobIds: jobIdsInput }),
  subject: (context, { stack }) => findStack(context, stack),
  run: async (context, { jobIds }, { token }): Promise<Map<string, JobState>> => {
    const ids = [...new Set(jobIds.filter(isId).map((id) => id.toLowerCase()))];
    if (ids.length === 0) return new Map();
    const rows = await context.db
      .selectFrom('jobs')
      .select(['id', 'state'])
      .where('id', 'in', ids)
      .where('organizationId', '=', token.organizationId)
      .where('clusterId', '=', token.clusterId)
      .where('type', '=', 'command')
      .where(hasPipeline('jobs.pipelineId'))
      .execute();
    return new Map(rows.map(({ id, state }) => [id, state]));
  },
});
