import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { Db } from '../../../entities/database.js';
import { columnsByTable } from '../../../entities/columns-by-table.js';
import { queueDeletions } from '../deletions/queue-deletions.js';
import { asSystem } from '../../../core/system-transaction.js';
import { nextTurn } from '../../../event-loop/turns.js';
import { type Check, defineCheck, findingOf, firstId } from './check.js';
import { purgedWith, type Reference, references } from './references.js';

/** Blocks of a table, of 8 KiB, that one statement reads. */
const blocksAtOnce = 512;
/** Rows without a parent that one statement names, and takes away. */
const parentsAtOnce = 100;
const rowsAtOnce = 5_000;

interface Dangling {
  reference: number;
  parentId: string;
}

/** Each reference names a row that exists, or one that is being purged. No foreign key of the database says so. */
export const danglingReferences: Check = defineCheck<Dangling>({
  name: 'references',
  page: async ({ db }, after, organizationId) => {
    const [index, block, last] = (after === null ? [0, 0, firstId] : JSON.parse(after)) as [number, number, string];
    const reference = references[index];
    if (!reference) return { count: 0, suspects: [], next: null };
    const hasOrganization = columnsByTable[reference.table]?.all.includes('organizationId') ?? false;
    // Rows that do not say whose they are, are looked at with the whole installation.
    if (organizationId !== null && !hasOrganization)
      return { count: 0, suspects: [], next: JSON.stringify([index + 1, 0, firstId]) };
    const isOwn = organizationId === null ? sql`true` : sql`t.organization_id = ${organizationId}::uuid`;
    const column = sql.ref(`t.${reference.column}`);
    const { rows } = await sql<{ parentId: string }>`
      select distinct ${column} as parent_id from ${sql.table(reference.table)} t
      where t.ctid >= ${`(${block},0)`}::tid and t.ctid < ${`(${block + blocksAtOnce},0)`}::tid
        and ${column} > ${last} and ${isOwn} and ${isDangling(reference)} order by 1 limit ${parentsAtOnce}`.execute(
      db,
    );
    const suspects = rows.map(({ parentId }) => ({ reference: index, parentId }));
    if (rows.length === parentsAtOnce)
      return { count: 0, suspects, next: JSON.stringify([index, block, rows.at(-1)?.parentId]) };
    const isLast = block + blocksAtOnce >= (await blocksOf(db, reference));
    const next = isLast ? [index + 1, 0, firstId] : [index, block + blocksAtOnce, firstId];
    return { count: 1, suspects, next: JSON.stringify(next) };
  },
  examine: async (services, { reference: index, parentId }, repairs) => {
    const reference = references[index];
    if (!reference) return [];
    const { table, column, parent, remedy } = reference;
    const where = sql`${sql.ref(`t.${column}`)} = ${parentId}::uuid and ${isDangling(reference)}`;
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} t where ${where}`.execute(services.db);
    const count = rows[0]?.count ?? 0;
    if (count === 0) return [];
    if (repairs && remedy !== null) {
      const mend = () =>
        asSystem(services, 'check', (context) => remedies[remedy](context, reference, where, parentId));
      while ((await mend()) === rowsAtOnce) await nextTurn();
    }
    const outcomes = { delete: 'deleted the rows', forget: `set ${column} to null`, purge: 'left them to be purged' };
    return [
      findingOf(
        {
          promise: 'I19',
          subject: `${count} rows of ${table} with ${column} ${parentId}`,
          is: `of a row of ${parent} that does not exist`,
          expected: 'of one that exists',
          remedy: remedy === null ? null : outcomes[remedy],
          advice: `bring the row of ${parent} back from a backup`,
        },
        repairs,
      ),
    ];
  },
});

/** What belongs to something that is being purged goes in its time. */
function isDangling({ table, column, parent }: Reference): RawBuilder<unknown> {
  const owners = [sql.ref(`t.${column}`)];
  for (const [property, name] of [
    ['pipelineId', 'pipeline_id'],
    ['suiteId', 'suite_id'],
    ['clusterId', 'cluster_id'],
    ['organizationId', 'organization_id'],
  ] as const)
    if (columnsByTable[table]?.all.includes(property) && name !== column) owners.push(sql.ref(`t.${name}`));
  return sql`t.${sql.ref(column)} is not null
    and not exists (select from ${sql.table(parent)} p where p.id = t.${sql.ref(column)})
    and not exists (select from deletions d where d.resource_id in (${sql.join(owners)}))`;
}

async function blocksOf(db: Db, { table }: Reference): Promise<number> {
  const { rows } = await sql<{ blocks: string }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::int as blocks`.execute(db);
  return Number(rows[0]?.blocks ?? 0);
}

const rowsWhere = ({ table }: Reference, where: RawBuilder<unknown>) =>
  sql`ctid = any(array(select t.ctid from ${sql.table(table)} t where ${where} limit ${rowsAtOnce}))`;

/** Each mends some rows and returns how many there were. */
const remedies = {
  delete: async ({ db }: Context, reference: Reference, where: RawBuilder<unknown>) =>
    changed(sql`delete from ${sql.table(reference.table)} where ${rowsWhere(reference, where)}`, db),
  forget: async ({ db }: Context, reference: Reference, where: RawBuilder<unknown>) =>
    changed(
      sql`update ${sql.table(reference.table)} set ${sql.ref(reference.column)} = null
        where ${rowsWhere(reference, where)}`,
      db,
    ),
  purge: async (context: Context, reference: Reference, where: RawBuilder<unknown>, parentId: string) => {
    const resource = purgedWith[reference.parent];
    const { rows } = await sql<{ organizationId: string }>`
      select organization_id from ${sql.table(reference.table)} t where ${where} limit 1`.execute(context.db);
    const organizationId = rows[0]?.organizationId;
    if (resource && organizationId !== undefined)
      await queueDeletions(context, [
        { organizationId, resource, resourceId: parentId, name: 'found by slipway check' },
      ]);
    return 0;
  },
};

async function changed(statement: RawBuilder<unknown>, db: Db): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0);
}
