import { sql } from 'kysely';
import type { Services } from '../../services/services.js';
import { finishedBuildStates, unfinishedBuildStates } from '../../domain/builds/build-state.js';
import { releasedStates } from '../../domain/builds/job-state.js';
import { sqlList } from '../../entities/sql-list.js';
import { advanceBuild } from '../../engine/builds/advance-build.js';
import { releaseConcurrency } from '../../engine/agents/release-concurrency.js';
import { finishTriggerJob } from '../../engine/triggers/finish-trigger-job.js';
import { startTrigger } from '../../engine/triggers/start-trigger-job.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';

const atOnce = 50;
/** Younger rows are still being processed normally. */
const ageMs = 60_000;

/**
 * Safety net under the outbox and the scheduler: advances builds that nothing is working on. Everything is decided from
 * the rows, so it does nothing where all is well. `after`: id to page from; returns the next one, null at the end.
 */
export async function revisitStuckBuilds(services: Services, after: string | null): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select b.id from builds b join pipelines p on p.id = b.pipeline_id
    where b.state in ${sql.raw(sqlList(unfinishedBuildStates))}
      and b.created_at <= ${before(services)}::timestamptz
      and b.id > ${after ?? '00000000-0000-0000-0000-000000000000'}
      and not exists (select 1 from jobs j where j.build_id = b.id and j.state in ${sql.raw(sqlList(releasedStates))})
    order by b.id limit ${atOnce}`.execute(services.db);
  await eachAlone(services, 'sweep', rows, (_services, { id }) =>
    asSystem(services, 'sweep', async (context) => {
      const build = await context.db
        .selectFrom('builds')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      return build ? (await advanceBuild(context, build, { reason: 'found standing still' })) !== build : false;
    }),
  );
  return rows.length === atOnce ? (rows.at(-1)?.id ?? null) : null;
}

/** Releases concurrency groups with waiting jobs. */
export async function revisitConcurrencyGroups(services: Services): Promise<number> {
  const { rows } = await sql<{ organizationId: string; name: string }>`
    select distinct organization_id, concurrency_group as name from jobs
    where concurrency_group is not null and state in ('limiting', 'limited') and created_at <=
      ${before(services)}::timestamptz
    limit ${atOnce}`.execute(services.db);
  return eachAlone(
    services,
    'sweep',
    rows,
    (_services, { organizationId, name }) =>
      asSystem(services, 'sweep', (context) => releaseConcurrency(context, organizationId, name).then(() => true)),
    undefined,
    ({ organizationId, name }) => `${organizationId} ${name}`,
  );
}

/** Starts trigger jobs without a build, and finishes those whose build has ended. */
export async function revisitTriggers(services: Services): Promise<number> {
  const { rows } = await sql<{ id: string; childId: string | null }>`
    select j.id, c.id as child_id from jobs j left join builds c on c.id = j.triggered_build_id
    where j.type = 'trigger' and j.runnable_at <= ${before(services)}::timestamptz
      and (j.state = 'scheduled' or (j.state = 'running' and c.state in ${sql.raw(sqlList(finishedBuildStates))}))
    limit ${atOnce}`.execute(services.db);
  return eachAlone(services, 'sweep', rows, (_services, { id, childId }) =>
    asSystem(services, 'sweep', (context) =>
      (childId === null ? startTrigger(context, id) : finishTriggerJob(context, childId)).then(() => true),
    ),
  );
}

const before = ({ clock }: Services) => new Date(clock.now().getTime() - ageMs).toISOString();
