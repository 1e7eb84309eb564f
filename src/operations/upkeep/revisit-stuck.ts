import { sql } from 'kysely';
import type { Services } from '../../context.js';
import { advanceBuild } from '../scheduling/advance-build.js';
import { releaseConcurrency } from '../scheduling/release-concurrency.js';
import { settleTrigger } from '../scheduling/settle-trigger.js';
import { startTrigger } from '../scheduling/start-trigger.js';
import { asSystem } from '../system-transaction.js';
import { eachAlone } from './each-alone.js';

const atOnce = 50;
/** Younger things are still on their ordinary way. */
const ageMs = 60_000;

/**
 * The safety net under the outbox and the schedulers: looks again at what nobody is working on. Everything here is
 * decided anew from the rows, so it does nothing where all is well. `after` pages through the builds; the id to go on from, null
 * at the end.
 */
export async function revisitStuckBuilds(services: Services, after: string | null): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select b.id from builds b
    where b.state in ('creating', 'scheduled', 'running', 'failing', 'blocked', 'canceling')
      and b.created_at <= ${before(services)}::timestamptz
      and b.id > ${after ?? '00000000-0000-0000-0000-000000000000'}
      and not exists (select 1 from jobs j where j.build_id = b.id and j.state in ('limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out'))
    order by b.id limit ${atOnce}`.execute(services.db);
  await eachAlone(services, rows, (_services, { id }) =>
    asSystem(services, 'sweep', async (context) => {
      const build = await context.db.selectFrom('builds').selectAll().where('id', '=', id).forUpdate().skipLocked().executeTakeFirst();
      return build ? (await advanceBuild(context, build, { reason: 'found standing still' })) !== build : false;
    }),
  );
  return rows.length === atOnce ? (rows.at(-1)?.id ?? null) : null;
}

/** Concurrency groups with jobs in line. */
export async function revisitConcurrencyGroups(services: Services): Promise<number> {
  const { rows } = await sql<{ organizationId: string; name: string }>`
    select distinct organization_id, concurrency_group as name from jobs
    where concurrency_group is not null and state in ('limiting', 'limited') and created_at <= ${before(services)}::timestamptz
    limit ${atOnce}`.execute(services.db);
  return eachAlone(services, rows, (_services, { organizationId, name }) => asSystem(services, 'sweep', (context) => releaseConcurrency(context, organizationId, name).then(() => true)));
}

/** Trigger jobs that were released and made no build, or whose build has ended. */
export async function revisitTriggers(services: Services): Promise<number> {
  const { rows } = await sql<{ id: string; childId: string | null }>`
    select j.id, c.id as child_id from jobs j left join builds c on c.id = j.triggered_build_id
    where j.type = 'trigger' and j.runnable_at <= ${before(services)}::timestamptz
      and (j.state = 'scheduled' or (j.state = 'running' and c.state in ('passed', 'failed', 'canceled', 'skipped', 'not_run')))
    limit ${atOnce}`.execute(services.db);
  return eachAlone(services, rows, (_services, { id, childId }) =>
    asSystem(services, 'sweep', (context) => (childId === null ? startTrigger(context, id) : settleTrigger(context, childId)).then(() => true)),
  );
}

const before = ({ clock }: Services) => new Date(clock.now().getTime() - ageMs).toISOString();
