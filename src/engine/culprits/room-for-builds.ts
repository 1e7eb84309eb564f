import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { agentMatches } from '../../domain/agents/dispatch.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import { limits } from '../../domain/limits/limits.js';
import { sqlList } from '../../entities/sql-list.js';

/** Jobs of the failed build for one queue, with one set of agent rules. */
interface JobsOfQueue {
  queueId: string;
  key: string;
  rules: string[];
  /** Jobs that each build has for them. */
  jobs: number;
  /** Tags of the idle agents of the queue, an entry for each. */
  idle: string[][];
  /** Jobs that wait in the queue. */
  waiting: number;
}

/**
 * How many more builds the queues have room for: as many as idle agents, less the jobs that wait for them, can begin
 * at once. No limit of the search is known here.
 */
export async function roomForBuilds({ db, now }: Context, stepIds: readonly string[]): Promise<number> {
  const { rows } = await sql<JobsOfQueue>`
    with needed as (
      select cluster_queue_id as queue_id, agent_query_rules as rules, count(*)::int as jobs from jobs
      where step_id = any(${sql.val([...stepIds])}::uuid[]) and not retried and type = 'command'
        and cluster_queue_id is not null
      group by 1, 2
    )
    select n.queue_id, q.key, n.rules, n.jobs,
      coalesce((select json_agg(i.meta_data) from (
        select a.meta_data from agents a where a.cluster_queue_id = n.queue_id and a.connection_state = 'connected'
          and not a.ignore_in_dispatches
          and (a.paused_at is null
            or a.paused_at + make_interval(mins => a.paused_timeout_in_minutes) <= ${now})
          and not exists (select from jobs h where h.agent_id = a.id and h.state in
            ${sql.raw(sqlList(agentHeldStates))})
        limit ${limits.explainedAgents}
      ) i), '[]') as idle,
      (select count(*)::int from (
        select from jobs w where w.organization_id = q.organization_id and w.cluster_queue_id = q.id
          and w."state" = 'scheduled' and w."type" = 'command' limit ${limits.explainedAgents}
      ) w) as waiting
    from needed n join cluster_queues q on q.id = n.queue_id and q.dispatch_paused_at is null`.execute(db);
  if (rows.length === 0) return 0;
  const fits = rows.map(({ key, rules, jobs, idle, waiting }) => {
    const free = idle.filter((tags) => agentMatches(rules, tags, key)).length;
    return Math.floor((free - waiting) / jobs);
  });
  return Math.max(0, Math.min(...fits));
}
