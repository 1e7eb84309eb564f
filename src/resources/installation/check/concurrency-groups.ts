import { sql } from 'kysely';
import { slotHoldingStates } from '../../../domain/agents/concurrency.js';
import type { Db } from '../../../entities/database.js';
import { sqlList } from '../../../entities/sql-list.js';
import {
  groupMembers,
  lockGroup,
  releasableOf,
  releaseConcurrency,
} from '../../../engine/agents/release-concurrency.js';
import { type Check, defineCheck, examineLocked, findingOf, firstId, type Problem } from './check.js';

const atOnce = 200;

interface Group {
  organizationId: string;
  name: string;
}

const taking = sql.raw(sqlList(['limiting', 'limited', ...slotHoldingStates]));

/** Names of groups may hold any character: the cursor is JSON. */
const cursorOf = ({ organizationId, name }: Group) => JSON.stringify([organizationId, name]);

/** No concurrency group is above its limit, and none keeps a free slot from a job that waits for it (I8). */
export const concurrencyGroups: Check = defineCheck<Group>({
  name: 'concurrency',
  page: async ({ db }, after, only) => {
    const [organizationId, name] = (after === null ? [firstId, ''] : JSON.parse(after)) as [string, string];
    const { rows } = await sql<Group>`
      select distinct organization_id, concurrency_group as name from jobs
      where concurrency_group is not null and state in ${taking}
        and (${only}::uuid is null or organization_id = ${only}::uuid)
        and (organization_id, concurrency_group) > (${organizationId}::uuid, ${name})
      order by organization_id, concurrency_group limit ${atOnce}`.execute(db);
    const last = rows.at(-1);
    return { count: rows.length, suspects: rows, next: rows.length < atOnce || !last ? null : cursorOf(last) };
  },
  examine: examineLocked(async (context, group, repairs) => {
    const { organizationId, name } = group;
    await lockGroup(context, organizationId, name);
    const members = await groupMembers(context, organizationId, name);
    const organization = await context.load.organization.load(organizationId);
    const subject = `concurrency group ${name} of ${organization?.slug ?? organizationId}`;
    const holders = members.filter(({ state }) => slotHoldingStates.includes(state));
    const limit = Math.max(1, ...members.map(({ concurrencyLimit }) => concurrencyLimit ?? 1));
    const problems: Problem[] = [];
    if (holders.length > limit)
      problems.push({
        promise: 'I8',
        subject,
        is: `${holders.length} jobs hold a slot: ${holders.map(({ id }) => id).join(', ')}`,
        expected: `${limit} at most`,
        remedy: null,
        advice: 'wait until some have ended, or cancel them: no new one is released until then',
      });
    const free = releasableOf(members);
    if (free.size > 0 && !(await isReleaseQueued(context.db, group))) {
      problems.push({
        promise: 'I8',
        subject,
        is: `${free.size} jobs wait for a slot although ${limit - holders.length} of ${limit} are free`,
        expected: 'free slots given to the first that wait',
        remedy: 'gave out the free slots',
      });
      if (repairs) await releaseConcurrency(context, organizationId, name);
    }
    return problems.map((problem) => findingOf(problem, repairs));
  }),
});

/** A change of the group leaves a message in its transaction: the slots are about to be given out. */
async function isReleaseQueued(db: Db, { organizationId, name }: Group): Promise<boolean> {
  const message = await db
    .selectFrom('outbox_messages')
    .select('id')
    .where('topic', '=', 'concurrency.release')
    .where('organizationId', '=', organizationId)
    .where(sql<boolean>`payload ->> 'group' = ${name}`)
    .where('failedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return message !== undefined;
}
