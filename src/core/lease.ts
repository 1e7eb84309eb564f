import { randomUUID } from 'node:crypto';
import { isEmbedded } from '../database/open.js';
import type { Row } from '../entities/database.js';
import type { Services } from '../services/services.js';

type Installation = Pick<Services, 'db' | 'clock'>;

/** Tables of which a row is work that one process does at a time. */
export type LeasedTable = 'insight_folds' | 'retention_passes' | 'storage_sweeps' | 'scheduled_backups';

/** Work that only one process may do at a time: a row with the columns `leased_by` and `leased_until`. */
export interface Lease<T extends LeasedTable> {
  table: T;
  /** The row. */
  name: string;
  /** Time after which others may take the work from a holder of whom nothing was heard. */
  ms: number;
}

type LeasedRow<T extends LeasedTable> = Row<T>;
type Values<T extends LeasedTable> = Partial<Omit<Row<T>, 'name' | 'leasedBy' | 'leasedUntil'>>;

const processPrefix = `${randomUUID()}:`;

/** A name for a holder, which says of which process it is. */
export const newHolder = (): string => `${processPrefix}${randomUUID()}`;

/**
 * Takes the work for one holder, or renews the holder's lease. Returns null while another holder has it. On the
 * embedded database the lease of a process that has died is free at once.
 *
 * @param options.values what else the row has from now on
 * @param options.startedAt takes it only if the last attempt began then, so that nobody has taken it since it was read
 */
export async function takeLease<T extends LeasedTable>(
  { db, clock }: Installation,
  lease: Lease<T>,
  holder: string,
  { values, startedAt }: { values?: Values<T>; startedAt?: Date | null } = {},
): Promise<LeasedRow<T> | null> {
  const now = clock.now();
  const until = new Date(now.getTime() + lease.ms);
  const row = await db
    .updateTable(tableOf(lease))
    .set({ ...(values as Values<'storage_sweeps'>), leasedBy: holder, leasedUntil: until })
    .where('name', '=', lease.name)
    .$if(startedAt !== undefined, (query) => query.where('startedAt', 'is not distinct from', startedAt ?? null))
    .where(({ eb, and, or }) =>
      or([
        eb('leasedUntil', 'is', null),
        eb('leasedUntil', '<', now),
        eb('leasedBy', '=', holder),
        // Taken by a clock that was set back since.
        eb('leasedUntil', '>', until),
        // The embedded database belongs to one process: one that had it before has ended in the middle of its work.
        ...(isEmbedded(db)
          ? [and([eb('leasedBy', 'like', '%:%'), eb('leasedBy', 'not like', `${processPrefix}%`)])]
          : []),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  return (row as LeasedRow<T> | undefined) ?? null;
}

/** Renews the lease of the holder; false if another has taken over. */
export async function renewLease<T extends LeasedTable>(
  { db, clock }: Installation,
  lease: Lease<T>,
  holder: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(tableOf(lease))
    .set({ leasedUntil: new Date(clock.now().getTime() + lease.ms) })
    .where('name', '=', lease.name)
    .where('leasedBy', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records how far the holder has come. Does nothing if another has taken over meanwhile. */
export async function saveLeased<T extends LeasedTable>(
  { db }: Pick<Installation, 'db'>,
  lease: Lease<T>,
  holder: string,
  values: Values<T>,
): Promise<void> {
  await write(db, lease, holder, values as Values<'storage_sweeps'>);
}

/** Leaves the work to others, with the last that is to be recorded of it. Does nothing if another has taken over. */
export async function releaseLease<T extends LeasedTable>(
  { db }: Pick<Installation, 'db'>,
  lease: Lease<T>,
  holder: string,
  values?: Values<T>,
): Promise<void> {
  const free = { leasedBy: null, leasedUntil: null };
  await write(db, lease, holder, { ...(values as Values<'storage_sweeps'>), ...free });
}

/** The row, whoever holds it; null if there is none. */
export async function readLeased<T extends LeasedTable>(
  { db }: Pick<Installation, 'db'>,
  lease: Lease<T>,
): Promise<LeasedRow<T> | null> {
  const row = await db.selectFrom(tableOf(lease)).selectAll().where('name', '=', lease.name).executeTakeFirst();
  return (row as LeasedRow<T> | undefined) ?? null;
}

async function write(
  db: Services['db'],
  lease: Lease<LeasedTable>,
  holder: string,
  values: Partial<Row<'storage_sweeps'>>,
): Promise<void> {
  await db
    .updateTable(tableOf(lease))
    .set(values)
    .where('name', '=', lease.name)
    .where('leasedBy', '=', holder)
    .execute();
}

/** The tables have these columns in common; Kysely's types of one of them serve for all. */
const tableOf = ({ table }: Lease<LeasedTable>) => table as 'storage_sweeps';
