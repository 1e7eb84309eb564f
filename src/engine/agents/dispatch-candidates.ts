import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.js';
import { agentMatches, compareJobs } from '../../domain/agents/dispatch.js';
import type { AgentRow, ClusterQueueRow, Db } from '../../entities/database.js';

/** Columns that dispatch reads before it locks anything. */
export interface Candidate {
  id: string;
  buildId: string;
  retrySourceId: string | null;
  agentQueryRules: string[];
  priority: number;
  scheduledAt: Date;
  runnableAt: Date | null;
  position: number;
}

/** Distinct sets of query rules that one ping reads in one statement. */
const ruleSetsAtMost = 200;
/** Jobs of each matching set, so that a few locked builds do not hide the rest. */
const jobsOfEachSet = 10;
/** Jobs read from the front of a queue with more sets of rules than that. */
const jobsInFront = 500;
const tried = 25;

/**
 * The first jobs of the agent's queue that its tags match, in the order in which they are offered. A hundred
 * thousand jobs that no agent matches cost nothing: the queue is read set of rules by set of rules (a loose scan of
 * `jobs_dispatch_rules_index`), and only sets that match are read further.
 */
export async function dispatchCandidates(
  { db }: Pick<Context, 'db'>,
  agent: Pick<AgentRow, 'metaData'>,
  queue: ClusterQueueRow,
): Promise<Candidate[]> {
  return candidatesFor(db, [agent.metaData], queue, { ofEachSet: jobsOfEachSet, atMost: tried });
}

/** The first jobs of a queue that some of the agents with these tags match, in the order in which they are offered. */
export async function candidatesFor(
  db: Db,
  agentTags: readonly (readonly string[])[],
  queue: ClusterQueueRow,
  { ofEachSet, atMost }: { ofEachSet: number; atMost: number },
): Promise<Candidate[]> {
  // Agents of one queue have few different tags.
  const tagSets = [...new Map(agentTags.map((tags) => [tags.join('\n'), tags])).values()];
  const matches = (rules: readonly string[]) => tagSets.some((tags) => agentMatches(rules, tags, queue.key));
  const sets = await ruleSets(db, queue, null);
  const more = sets.length === ruleSetsAtMost;
  // A stretch from somewhere else at each look: sooner or later every set is looked at.
  if (more) sets.push(...(await ruleSets(db, queue, randomBytes(8).readBigInt64BE())));
  const matchingHashes = sets.filter((set) => matches(set.rules)).map((set) => set.hash);
  const jobs = matchingHashes.length > 0 ? await firstOfSets(db, queue, matchingHashes, ofEachSet) : [];
  if (more) jobs.push(...(await front(db, queue)));
  const unique = new Map(jobs.map((candidate) => [candidate.id, candidate]));
  // A hash distinguishes the sets; the rules themselves decide.
  return [...unique.values()]
    .filter((candidate) => matches(candidate.agentQueryRules))
    .sort(compareJobs)
    .slice(0, atMost);
}

/**
 * The sets of agent rules of the jobs that wait in a queue; null if there are more than one statement reads. Agents
 * whose tags match none of them need not look for a job.
 */
export async function waitingRuleSets(
  db: Db,
  queue: Pick<ClusterQueueRow, 'id' | 'organizationId'>,
): Promise<string[][] | null> {
  const sets = await ruleSets(db, queue, null);
  return sets.length === ruleSetsAtMost ? null : sets.map(({ rules }) => rules);
}

/** Condition of the partial indexes, repeated word for word so that the planner uses them. */
const waiting = (queue: Pick<ClusterQueueRow, 'id' | 'organizationId'>) =>
  sql`organization_id = ${queue.organizationId} and cluster_queue_id = ${queue.id} and "state" = 'scheduled' and "type" = 'command'`;
const hash = sql`hash_array_extended(agent_query_rules, 0)`;
const columns = sql`id, build_id, retry_source_id, agent_query_rules, priority, scheduled_at, runnable_at, position`;
const order = sql`priority desc, scheduled_at, position, id`;

/** Sets of rules in a queue, in the order of their hash, after `start`. */
async function ruleSets(
  db: Db,
  queue: Pick<ClusterQueueRow, 'id' | 'organizationId'>,
  start: bigint | null,
): Promise<{ hash: string; rules: string[] }[]> {
  const next = (after: RawBuilder<unknown>) =>
    sql`select ${hash} as hash, agent_query_rules as rules from jobs where ${waiting(queue)} ${after} order by organization_id, cluster_queue_id, ${hash} limit 1`;
  const { rows } = await sql<{ hash: string; rules: string[] }>`
    with recursive sets as (
      select first.hash, first.rules, 1 as number from (${next(start === null ? sql`` : sql`and ${hash} > ${String(start)}::bigint`)}) as first
      union all
      select following.hash, following.rules, sets.number + 1
      from sets cross join lateral (${next(sql`and ${hash} > sets.hash`)}) as following
      where sets.number < ${ruleSetsAtMost}
    )
    select hash::text as hash, rules from sets`.execute(db);
  return rows;
}

async function firstOfSets(db: Db, queue: ClusterQueueRow, hashes: string[], ofEachSet: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select candidate.* from unnest(${hashes}::bigint[]) as matching(hash)
    cross join lateral (select ${columns} from jobs where ${waiting(queue)} and ${hash} = matching.hash order by ${order} limit ${ofEachSet}) as candidate`.execute(
    db,
  );
  return rows;
}

async function front(db: Db, queue: ClusterQueueRow): Promise<Candidate[]> {
  const { rows } =
    await sql<Candidate>`select ${columns} from jobs where ${waiting(queue)} order by ${order} limit ${jobsInFront}`.execute(
      db,
    );
  return rows;
}
