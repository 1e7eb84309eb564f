import { z } from 'zod';
import type { RegistrationActor } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { reservationSeconds } from '../../../domain/agents/stack.js';
import { transition } from '../../../domain/builds/job-state.js';
import { limits } from '../../../domain/limits/limits.js';
import type { JobRow, StackRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { defineOperation } from '../../../core/operation.js';
import { changeJobs, moveJobs } from '../../../engine/state/jobs.js';
import { findStack, jobIdsInput, stackInput } from '../../../resources/agents/stacks/find-stack.js';

const seconds = `must be a number of seconds from 1 to ${limits.stackReservationSeconds}`;

const input = stackInput.extend({
  jobIds: jobIdsInput,
  expirySeconds: z.number(seconds).int(seconds).min(0, seconds).max(limits.stackReservationSeconds, seconds).nullish(),
});

/** The ids of the request, as they came. */
export interface Reservations {
  reserved: string[];
  notReserved: string[];
}

/**
 * PUT batch-reserve: takes scheduled jobs out of the reach of idle agents and of other stacks for some time, and
 * extends the stack's own reservations. A job of a paused queue is not reserved. In a few statements for all of the
 * jobs.
 */
export const reserveJobs = defineOperation({
  name: 'stack.reserve-jobs',
  summary: 'Reserves jobs for a stack.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { stack }) => findStack(context, stack),
  run: async (context, { jobIds, expirySeconds }, { stack, token }): Promise<Reservations> => {
    const ids = [...new Set(jobIds.filter(isId).map((id) => id.toLowerCase()))];
    // Zero is no time at all: clients leave the field out in two ways.
    const deadlineAt = new Date(context.now.getTime() + (expirySeconds || reservationSeconds) * 1000);
    const reservation = await reserve(context, await lockReservable(context, token, ids), stack, deadlineAt);
    const [reserved, notReserved]: [string[], string[]] = [[], []];
    for (const id of new Set(jobIds)) (reservation.has(id.toLowerCase()) ? reserved : notReserved).push(id);
    return { reserved, notReserved };
  },
});

const reservableColumns = [
  'id',
  'type',
  'state',
  'organizationId',
  'pipelineId',
  'buildId',
  'agentId',
  'stackId',
  'concurrencyGroup',
  'createdAt',
] as const satisfies readonly (keyof JobRow)[];
type Reservable = Pick<JobRow, (typeof reservableColumns)[number]>;

/** Locks the builds of jobs in the order in which all that lock several take them, then reads the jobs. */
async function lockReservable(
  { db }: Context,
  { organizationId, clusterId }: RegistrationActor,
  ids: readonly string[],
): Promise<Reservable[]> {
  if (ids.length === 0) return [];
  const named = db
    .selectFrom('jobs')
    .where('id', 'in', ids)
    .where('organizationId', '=', organizationId)
    .where('clusterId', '=', clusterId)
    .where('type', '=', 'command')
    .where('state', 'in', ['scheduled', 'reserved'])
    .where(hasPipeline('jobs.pipelineId'));
  const builds = await named.select('buildId').distinct().execute();
  if (builds.length === 0) return [];
  await db
    .selectFrom('builds')
    .select('id')
    .where(
      'id',
      'in',
      builds.map(({ buildId }) => buildId),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  return named
    .select(reservableColumns)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('cluster_queues as q')
          .select('q.id')
          .whereRef('q.id', '=', 'jobs.clusterQueueId')
          .where('q.dispatchPausedAt', 'is', null),
      ),
    )
    .orderBy('buildId')
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Returns the ids of the jobs that the stack holds now. */
async function reserve(
  context: Context,
  jobs: readonly Reservable[],
  stack: StackRow,
  deadlineAt: Date,
): Promise<Set<string>> {
  const fresh = jobs.filter((job) => transition(job.type, job.state, 'reserve').kind === 'moved');
  const own = jobs.filter((job) => job.state === 'reserved' && job.stackId === stack.id);
  if (fresh.length > 0) {
    const reason = `reserved by the stack ${stack.key}`;
    const set = { stackId: stack.id, deadlineAt };
    await moveJobs(
      context,
      fresh.map((job) => ({ job, event: 'reserve', reason, set })),
    );
  }
  if (own.length > 0) await changeJobs(context, idsOf(own), { deadlineAt }, { state: 'reserved' });
  return new Set([...fresh, ...own].map(({ id }) => id));
}

const idsOf = (jobs: readonly Reservable[]) => jobs.map(({ id }) => id);
