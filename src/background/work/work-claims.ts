import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isEmbedded } from '../../database/open.js';
import { AsyncValue } from '../../event-loop/async-value.js';
import type { Services } from '../../services/services.js';
import { Gate } from './gate.js';
import { endLeases, hasEffect, setAsideSuspects } from './set-aside.js';

/** A process that has not renewed its claims for so long has died: less than any lease of background work. */
const deadAfterSeconds = 15;
/** A suspect whose work has gone otherwise, as with its build, is forgotten after this. */
const suspectDays = 1;
/** What is set aside is forgotten after this, and may be begun again if it is still due. */
const setAsideDays = 90;

/** What is known of a unit: `busy` is begun by another process. */
type Standing = 'free' | 'busy' | 'suspect';

/**
 * The claims of the process whose background task runs; none where its work is called by anything else, such as a
 * command.
 */
const current = new AsyncValue<WorkClaims>();
export const currentClaims = () => current.get() ?? null;

/**
 * What one process has begun of background work, stored before it begins and deleted when it ends, however it ends: a
 * death leaves its claims. Their units are suspects then, which are taken one at a time with nothing beside them, so
 * that only what ends the process collects a second death. After two a unit is set aside until an operator releases it
 * (docs/decisions/0026).
 */
export class WorkClaims {
  readonly processId = randomUUID();
  private readonly gate = new Gate();
  private readonly open = new Set<string>();
  /** Ended units whose rows could not be deleted because the database was unavailable. */
  private readonly ended = new Set<string>();
  private suspects: ReadonlyMap<string, readonly string[]> = new Map();
  private first: Promise<void> | null = null;

  constructor(private readonly services: Services) {}

  /** Runs a background task whose work finds these claims; recovers what dead processes have left before the first. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      await (this.first ??= this.recover());
    } catch (error) {
      this.first = null;
      throw error;
    }
    return current.run(this, work);
  }

  /** Units of a task that were under way when a process died, as of the last {@link renew}. */
  suspectsOf(task: string): readonly string[] {
    return this.suspects.get(task) ?? [];
  }

  readonly beside = this.gate.beside.bind(this.gate);

  /** An id for a claim that a statement of the caller inserts, with {@link processId}; the caller ends it. */
  newClaim(): string {
    const id = randomUUID();
    this.open.add(id);
    return id;
  }

  /** Ends claims, whether their units succeeded or failed. Never throws. */
  async end(...ids: readonly string[]): Promise<void> {
    for (const id of ids) if (this.open.delete(id)) this.ended.add(id);
    await this.deleteEnded().catch(() => undefined);
  }

  /**
   * Runs `work` for the items that may be begun: first all unsuspected items together under one claim, then each
   * suspect alone. Items that are set aside are passed to `refused`. Items that another process has begun are skipped.
   */
  async each<T>(
    task: string,
    items: readonly T[],
    unitOf: (item: T) => string,
    work: (items: readonly T[]) => Promise<void>,
    refused: (item: T) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const claim = this.newClaim();
    try {
      const standings = await this.begin(task, items.map(unitOf), claim);
      const itemsOf = (standing: Standing | 'aside') =>
        items.filter((item) => standings.get(unitOf(item)) === standing);
      const free = itemsOf('free');
      if (free.length > 0) await this.beside(() => work(free));
      await this.end(claim);
      for (const item of itemsOf('suspect')) await this.alone(task, unitOf(item), () => work([item]));
      for (const item of itemsOf('aside')) await refused(item);
    } finally {
      await this.end(claim);
    }
  }

  /** Runs one attempt at a suspect with nothing beside it. It is no suspect any more once the attempt has ended. */
  async alone<T>(task: string, unit: string, work: () => Promise<T>): Promise<T> {
    return this.gate.byItself(async () => {
      const claim = this.newClaim();
      try {
        await sql`insert into work_claims (id, process_id, task, units, seen_at)
          values (${claim}, ${this.processId}, ${task}, ${sql.val([unit])}::text[], clock_timestamp())`.execute(
          this.services.db,
        );
        return await work();
      } finally {
        await this.clear(task, unit, claim);
      }
    });
  }

  /** Stores a claim on the units that are free, and gives what is known of each. */
  async begin(
    task: string,
    units: readonly string[],
    claim: string,
    { shares = false } = {},
  ): Promise<ReadonlyMap<string, Standing | 'aside'>> {
    const { rows } = await sql<{ unit: string; standing: Standing | 'aside' }>`
      with wanted as (select distinct unnest(${sql.val([...units])}::text[]) as unit),
      standings as materialized (
        select w.unit, case
          when s.set_aside_at is not null and ${!hasEffect(task)} then 'aside'
          when s.unit is not null then 'suspect'
          when not ${shares} and exists (
            select from work_claims c where c.task =
              ${task} and c.process_id <> ${this.processId} and w.unit = any(c.units)) then 'busy'
          else 'free' end as standing
        from wanted w left join work_suspects s on s.task = ${task} and s.unit = w.unit
      ), again as (
        -- What was set aside is not due any more by itself: a request for it is one more attempt.
        update work_suspects s set set_aside_at = null, process_ids = s.process_ids[1:1]
        from standings t where s.task = ${task} and s.unit = t.unit and t.standing = 'suspect' and s.set_aside_at
          is not null
      ), claim as (
        insert into work_claims (id, process_id, task, units, seen_at)
        select ${claim}::uuid, ${this.processId}::uuid, ${task}, array_agg(unit), clock_timestamp() from standings
        where standing = 'free' having count(*) > 0
      )
      select unit, standing from standings`.execute(this.services.db);
    return new Map(rows.map(({ unit, standing }) => [unit, standing]));
  }

  /** Renews the claims of this process, recovers the claims of dead processes, and sets aside units that died twice. */
  async renew(): Promise<void> {
    await this.deleteEnded();
    if (this.open.size > 0) {
      const { rows } = await sql<{ id: string }>`
        update work_claims set seen_at = clock_timestamp() where process_id = ${this.processId} returning id`.execute(
        this.services.db,
      );
      const renewed = new Set(rows.map(({ id }) => id));
      // Another process took this one, which had no database or no time for a while, for dead.
      if ([...this.open].some((id) => !renewed.has(id))) await this.acquit();
    }
    await this.recover();
  }

  /** Deletes all claims of this process, which stops: nothing has died. */
  async close(): Promise<void> {
    await this.services.db.deleteFrom('work_claims').where('processId', '=', this.processId).execute();
  }

  private async deleteEnded(): Promise<void> {
    const ids = [...this.ended];
    if (ids.length === 0) return;
    await this.services.db.deleteFrom('work_claims').where('id', 'in', ids).execute();
    for (const id of ids) this.ended.delete(id);
  }

  private async clear(task: string, unit: string, claim: string): Promise<void> {
    await this.end(claim);
    await this.services.db
      .deleteFrom('work_suspects')
      .where('task', '=', task)
      .where('unit', '=', unit)
      .execute()
      .catch(() => undefined);
    this.suspects = new Map([...this.suspects, [task, this.suspectsOf(task).filter((each) => each !== unit)]]);
  }

  private async acquit(): Promise<void> {
    const { db } = this.services;
    await sql`update work_suspects set process_ids = array_remove(process_ids, ${this.processId}::text)
      where ${this.processId}::text = any(process_ids) and set_aside_at is null`.execute(db);
    await sql`delete from work_suspects where process_ids = '{}'`.execute(db);
  }

  private async recover(): Promise<void> {
    const { services } = this;
    // The embedded database belongs to one process: claims of any other process are from one that died.
    const { rows } = await sql<{ task: string; unit: string }>`
      with dead as (
        delete from work_claims where process_id <> ${this.processId}
          and (${isEmbedded(services.db)} or seen_at < clock_timestamp() - make_interval(secs =>
            ${deadAfterSeconds}::float8))
        returning process_id, task, units
      )
      insert into work_suspects (id, task, unit, process_ids, created_at)
      select gen_random_uuid(), task, unit, array_agg(distinct process_id::text), clock_timestamp()
      from dead cross join lateral unnest(units) u(unit) group by task, unit
      on conflict (task, unit) do update set process_ids = array(
        select distinct unnest(work_suspects.process_ids || excluded.process_ids))
      returning task, unit`.execute(services.db);
    if (rows.length > 0) {
      services.log.warn(
        { units: rows.slice(0, 100), count: rows.length },
        'a process died with background work under way',
      );
      await endLeases(services, rows);
    }
    await sql`delete from work_suspects where created_at < clock_timestamp() - make_interval(days =>
      case when set_aside_at is null then ${suspectDays}::int else ${setAsideDays}::int end)`.execute(services.db);
    await setAsideSuspects(services);
    const suspects = await services.db
      .selectFrom('work_suspects')
      .select(['task', 'unit'])
      .where('setAsideAt', 'is', null)
      .orderBy('createdAt')
      .limit(1_000)
      .execute();
    const byTask = new Map<string, string[]>();
    for (const { task, unit } of suspects) byTask.set(task, [...(byTask.get(task) ?? []), unit]);
    this.suspects = byTask;
  }
}
