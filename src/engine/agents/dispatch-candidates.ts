import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { compiled } from '../../database/compiled.js';
import { isNotOfDeletedPipeline } from '../../database/has-pipeline.js';
import { rowAsJson, rowsFromJson, storedName } from '../../database/row-conversion.js';
import { agentMatches, compareJobs } from '../../domain/agents/dispatch.js';
import type { ClusterQueueRow, Db } from '../../entities/database.js';

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

/** Distinct sets of query rules that are read in one statement. */
const ruleSetsAtMost = 200;
/** Jobs read from the front of a queue with more sets of rules than that. */
const jobsInFront = 500;

/** A queue that dispatches, as {@link lookIntoQueue} finds it. */
export interface QueueLook {
  queue: ClusterQueueRow;
  /** The sets of agent rules of the jobs that wait; null if there are more than one statement reads. */
  rules: string[][] | null;
  candidates: Candidate[];
}

/** Sets of rules whose first jobs are read with the queue, which is all of them in most queues. */
const setsWithQueue = 4;

/**
 * Reads a queue and its first jobs that some of the agents with these tags match, with one statement if the queue has
 * few sets of rules. A hundred thousand jobs that no agent matches cost nothing: the queue is read set of rules by set
 * of rules (a loose scan of `jobs_dispatch_rules_index`), and only sets that match are read further. Null for a queue
 * that does not dispatch.
 */
export async function lookIntoQueue(
  db: Db,
  queueId: string,
  agentTags: readonly (readonly string[])[],
  { ofEachSet, atMost }: { ofEachSet: number; atMost: number },
): Promise<QueueLook | null> {
  const [row] = await queueWithJobs(db, { queueId, ofEachSet });
  const [queue] = rowsFromJson(row?.queue ? [row.queue] : []);
  if (!queue) return null;
  const sets = row?.sets ?? [];
  const firstJobs = rowsFromJson(row?.jobs);
  return {
    queue,
    rules: sets.length === ruleSetsAtMost ? null : sets.map(({ rules }) => rules),
    candidates: await candidatesOf(db, agentTags, queue, { sets, firstJobs, ofEachSet, atMost }),
  };
}

async function candidatesOf(
  db: Db,
  agentTags: readonly (readonly string[])[],
  queue: ClusterQueueRow,
  row: { sets: RuleSet[]; firstJobs: Candidate[]; ofEachSet: number; atMost: number },
): Promise<Candidate[]> {
  const { ofEachSet, atMost, firstJobs } = row;
  const sets = [...row.sets];
  // Agents of one queue have few different tags.
  const tagSets = [...new Map(agentTags.map((tags) => [tags.join('\n'), tags])).values()];
  const matches = (rules: readonly string[]) => tagSets.some((tags) => agentMatches(rules, tags, queue.key));
  const more = sets.length === ruleSetsAtMost;
  // A stretch from somewhere else at each look: sooner or later every set is looked at.
  if (more) {
    const start = String(randomBytes(8).readBigInt64BE());
    sets.push(...(await laterRuleSets(db, { id: queue.id, organizationId: queue.organizationId, start })));
  }
  const known = firstJobs.length > 0 ? setsWithQueue : 0;
  const matchingHashes = sets
    .slice(known)
    .filter((set) => matches(set.rules))
    .map((set) => set.hash);
  const jobs = [...firstJobs];
  if (matchingHashes.length > 0) jobs.push(...(await firstOfSets(db, queue, matchingHashes, ofEachSet)));
  if (more) jobs.push(...(await front(db, queue)));
  const unique = new Map(jobs.map((candidate) => [candidate.id, candidate]));
  // A hash distinguishes the sets; the rules themselves decide.
  return [...unique.values()]
    .filter((candidate) => matches(candidate.agentQueryRules))
    .sort(compareJobs)
    .slice(0, atMost);
}

/**
 * Condition of the partial indexes, repeated word for word so that the planner uses them. Jobs of a deleted pipeline
 * wait until they are canceled, and a queue goes on without them.
 */
const waiting = (queue: { id: string; organizationId: unknown }) =>
  sql`organization_id = ${queue.organizationId} and cluster_queue_id = ${queue.id} and "state" = 'scheduled' and
    "type" = 'command' and ${isNotOfDeletedPipeline('pipelineId')}`;
const hash = sql`hash_array_extended(agent_query_rules, 0)`;
const candidateColumns = [
  'id',
  'buildId',
  'retrySourceId',
  'agentQueryRules',
  'priority',
  'scheduledAt',
  'runnableAt',
  'position',
] as const satisfies readonly (keyof Candidate)[];
const columns = sql.raw(candidateColumns.map(storedName).join(', '));
const order = sql`priority desc, scheduled_at, position, id`;

interface RuleSet {
  hash: string;
  rules: string[];
}
type QueueKey = Pick<ClusterQueueRow, 'id' | 'organizationId'>;

const laterRuleSets = compiled<QueueKey & { start: string }, RuleSet>(
  'rule-sets-after',
  (_db, { id, organizationId, start }) => ruleSetsFrom({ id, organizationId }, sql`and ${hash} > ${start}::bigint`),
);

const queueWithJobs = compiled<
  { queueId: string; ofEachSet: number },
  { queue: ClusterQueueRow | null; sets: RuleSet[] | null; jobs: Candidate[] | null }
>('queue-with-jobs', (_db, { queueId, ofEachSet }) => {
  const queue = { id: queueId, organizationId: sql`(select organization_id from queue)` };
  return sql`
    with recursive queue as (select * from cluster_queues where id = ${queueId} and dispatch_paused_at is null),
    ${setsOf(queue, sql``)}
    select (select ${rowAsJson('cluster_queues', 'queue')} from queue) as queue,
      (select json_agg(json_build_object('hash', hash::text, 'rules', rules) order by number) from sets) as sets,
      (select json_agg(${rowAsJson('jobs', 'candidate', [...candidateColumns])}) from sets
        cross join lateral (select
          ${columns} from jobs where ${waiting(queue)} and ${hash} = sets.hash order by
            ${order} limit ${ofEachSet}::bigint) as candidate
        where sets.number <= ${sql.lit(setsWithQueue)}) as jobs`;
});

function ruleSetsFrom(queue: QueueKey, first: RawBuilder<unknown>) {
  return sql<RuleSet>`with recursive ${setsOf(queue, first)} select hash::text as hash, rules from sets`;
}

/** The common table expression of the sets of rules in a queue, numbered. */
function setsOf(queue: { id: string; organizationId: unknown }, first: RawBuilder<unknown>) {
  const next = (after: RawBuilder<unknown>) =>
    sql`select ${hash} as hash, agent_query_rules as rules from jobs where
      ${waiting(queue)} ${after} order by organization_id, cluster_queue_id, ${hash} limit 1`;
  return sql`sets as (
      select first.hash, first.rules, 1 as number from (${next(first)}) as first
      union all
      select following.hash, following.rules, sets.number + 1
      from sets cross join lateral (${next(sql`and ${hash} > sets.hash`)}) as following
      where sets.number < ${sql.lit(ruleSetsAtMost)}
    )`;
}

const firstOfHashes = compiled<QueueKey & { hashes: string[]; ofEachSet: number }, Candidate>(
  'first-of-rule-sets',
  (_db, { id, organizationId, hashes, ofEachSet }) => sql`
    select candidate.* from unnest(${hashes}::bigint[]) as matching(hash)
    cross join lateral (select
      ${columns} from jobs where ${waiting({ id, organizationId })} and ${hash} = matching.hash order by
        ${order} limit ${ofEachSet}::bigint) as candidate`,
);

const firstOfSets = (db: Db, { id, organizationId }: QueueKey, hashes: string[], ofEachSet: number) =>
  firstOfHashes(db, { id, organizationId, hashes, ofEachSet });

async function front(db: Db, queue: ClusterQueueRow): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`select ${columns} from jobs where
      ${waiting(queue)} order by ${order} limit ${jobsInFront}`.execute(db);
  return rows;
}
