import { CompiledQuery } from 'kysely';
import type { Db } from '../../src/entities/database.js';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Rows of tables that a statement reads, shown or not. It is carried out once more for that. */
export async function rowsRead(
  db: Db,
  statement: { sql: string; parameters: readonly unknown[] } | undefined,
  tables: readonly string[],
): Promise<number> {
  const { sql: text = '', parameters = [] } = statement ?? {};
  const { rows } = await db.executeQuery<Record<string, [{ Plan: Plan }]>>(
    CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters]),
  );
  const plan = Object.values(rows[0] ?? {})[0]?.[0].Plan;
  if (!plan) throw new Error('EXPLAIN gave no plan');
  return rowsOf(plan, tables);
}

function rowsOf(plan: Plan, tables: readonly string[]): number {
  const own =
    plan['Relation Name'] !== undefined && tables.includes(plan['Relation Name'])
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
        plan['Actual Loops']
      : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part, tables), own);
}
