import { z } from 'zod';
import { artifactTransition } from '../../../domain/builds/artifact-state.js';
import { limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import type { ArtifactRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { findHeldJob, requireLiveToken } from '../../../resources/builds/jobs/held-job.js';
import { defineOperation } from '../../../core/operation.js';
import { oneOf } from '../../../domain/input-text.js';
import { discardBytes } from '../../../resources/builds/artifacts/discard-bytes.js';

const events = { finished: 'finish', error: 'fail' } as const;

/**
 * PUT artifacts: records how uploads ended. `finished` requires all bytes to be stored, so that no partial file is ever
 * served. Repeating it changes nothing.
 */
export const updateArtifactStates = defineOperation({
  name: 'artifact.update-states',
  summary: 'Updates the states of artifact uploads.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({
    job: z.string().max(300),
    artifacts: z
      .array(z.object({ id: z.string().refine(isId, 'must be a UUID'), state: oneOf(['finished', 'error']) }))
      .max(limits.artifactsPerJob),
  }),
  subject: (context, { job }) => findHeldJob(context, job),
  run: async (context, { artifacts }, { job }): Promise<void> => {
    requireLiveToken(context, job);
    if (artifacts.length === 0) return;
    const reportedStates = new Map(artifacts.map(({ id, state }) => [id.toLowerCase(), state]));
    // In the order of their ids, as everybody locks them.
    const rows = await context.db
      .selectFrom('artifacts')
      .selectAll()
      .where('jobId', '=', job.id)
      .where('id', 'in', [...reportedStates.keys()])
      .orderBy('id')
      .forUpdate()
      .execute();
    if (rows.length !== reportedStates.size) throw wrongState('The job has no such artifact');
    const moved = { finished: [] as ArtifactRow[], error: [] as ArtifactRow[] };
    for (const row of rows) {
      const state = reportedStates.get(row.id) ?? 'error';
      const move = artifactTransition(row.state, events[state]);
      if (move.kind === 'refused') throw wrongState(`The artifact ${row.path} is ${row.state}`);
      if (move.kind === 'already') continue;
      if (state === 'finished' && row.uploadDestination === null && row.storedAt === null)
        throw wrongState(`The artifact ${row.path} was not uploaded`);
      moved[state].push(row);
    }
    for (const state of ['finished', 'error'] as const) {
      const ids = moved[state].map(({ id }) => id);
      if (ids.length > 0)
        await context.db
          .updateTable('artifacts')
          .set({ state, finishedAt: context.now })
          .where('id', 'in', ids)
          .where('state', '=', 'new')
          .execute();
    }
    discardBytes(context, moved.error);
  },
});
