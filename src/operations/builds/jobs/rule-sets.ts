import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';

/** Sets of rules that are looked at; an organization has few, however many jobs it has. */
const setsAtMost = 1_000;

const hash = sql`hash_array_extended(agent_query_rules, 0)`;

/**
 * Returns the hashes (64 bits, as text) of the sets of agent query rules that jobs of an organization have and that
 * contain all of `rules`; null if there are too many sets to look at. Steps from set to set through
 * `jobs_of_agent_query_rules_index`: of an array the planner cannot tell how many jobs contain a rule, of a hash it
 * can.
 */
export async function ruleSetsWith(db: Db, organizationId: string, rules: readonly string[]): Promise<string[] | null> {
  const next = (after: ReturnType<typeof sql>) => sql`
    select ${hash} as hash, agent_query_rules as rules from jobs
    where organization_id = ${organizationId} and agent_query_rules <> '{}'
      ${after} order by organization_id, ${hash} limit 1`;
  const { rows } = await sql<{ hash: string; found: boolean }>`
    with recursive sets as (
      select first.hash, first.rules, 1 as number from (${next(sql``)}) as first
      union all
      select following.hash, following.rules, sets.number + 1
      from sets cross join lateral (${next(sql`and ${hash} > sets.hash`)}) as following where sets.number <=
        ${setsAtMost}
    )
    select hash::text, rules @> ${sql.val(rules)}::text[] as found from sets`.execute(db);
  return rows.length > setsAtMost ? null : rows.flatMap((row) => (row.found ? [row.hash] : []));
}
