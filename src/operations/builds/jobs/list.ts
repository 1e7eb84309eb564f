import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { withVersion } from '../../../database/row-version.js';
import { jobListStates, readJobListStates } from '../../../domain/builds/job-list-states.js';
import { jobStates, jobTypes } from '../../../domain/builds/job-state.js';
import { largestInteger, smallestInteger } from '../../../domain/integer-column.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import type { Database, JobRow } from '../../../entities/database.js';
import { buildAddress, inOrganization, isId, organizationAddress, pipelineAddress } from '../../../core/address.js';
import { findAgent } from '../../../resources/agents/find-agent.js';
import { findBuild, findOrganization, findPipeline, pipelineOfRowIsVisible } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { idMayDifferMs, lowestIdAt } from '../../../database/ids.js';
import { newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import { ruleSetsWith } from './rule-sets.js';
import type { AgentSubject, OrganizationSubject, PipelineSubject } from '../../../core/subject.js';

const words = z.array(z.string().max(limits.filterLength)).max(limits.filterValues).nullish();

export const jobFilters = z.object({
  /** Agent query rules; the job must have all of them. */
  agentQueryRules: words,
  clusterId: z.string().max(limits.filterLength).nullish(),
  clusterQueueIds: words,
  clustered: z.boolean().nullish(),
  concurrencyGroups: words,
  createdFrom: z.date().nullish(),
  createdTo: z.date().nullish(),
  /** The day (UTC) on which the job finished. */
  finishedOn: z.date().nullish(),
  finishedFrom: z.date().nullish(),
  finishedTo: z.date().nullish(),
  passed: z.boolean().nullish(),
  priorities: z.array(z.number().int().min(smallestInteger).max(largestInteger)).max(limits.filterValues).nullish(),
  states: z.array(z.enum(jobStates)).max(limits.filterValues).nullish(),
  stepKeys: words,
  /** Keys of the groups that the steps of the jobs are in. */
  groupKeys: words,
  /** State words of /v2, where `passed` and `failed` are ended jobs. */
  shownStates: words,
  includeRetried: z.boolean().nullish(),
  types: z.array(z.enum(jobTypes)).max(limits.filterValues).nullish(),
  /** `assigned`: most recently given to an agent first; `pipeline`: in pipeline order. */
  order: z.enum(['created', 'assigned', 'pipeline']).default('created'),
});

const input = jobFilters.extend({
  within: z.union([
    z.object({ build: buildAddress }),
    z.object({ pipeline: pipelineAddress }),
    z.object({ organization: organizationAddress }),
    z.object({ agent: inOrganization }),
  ]),
  paging,
});

/** Lists the jobs of a build, pipeline, organization or agent with all attempts, newest first by default. */
export const listJobs = defineOperation({
  name: 'job.list',
  summary: 'Lists jobs.',
  kind: 'query',
  // The jobs of one build are shown beside its state.
  mayLag: ({ within }) => !('build' in within),
  scope: 'read_builds',
  access: 'visible',
  input,
  subject: async (context, { within }): Promise<OrganizationSubject | PipelineSubject | null> => {
    if ('build' in within) return findBuild(context, within.build);
    if ('pipeline' in within) return findPipeline(context, within.pipeline);
    if ('organization' in within) return findOrganization(context, within.organization);
    return findAgent(context, within.agent);
  },
  run: async (context, request, subject): Promise<Page<JobRow>> => {
    let query = withVersion(context.db.selectFrom('jobs as j').selectAll('j'), 'j');
    const { build, agent } = subject as Partial<AgentSubject> & { build?: { id: string } };
    if (build) query = query.where('j.buildId', '=', build.id);
    else if (subject.pipeline) {
      // That of the pipeline: some indexes begin with it.
      query = query
        .where('j.pipelineId', '=', subject.pipeline.id)
        .where('j.organizationId', '=', subject.pipeline.organizationId);
    } else {
      const organizationId = subject.organization?.id ?? '';
      query = query
        .where('j.organizationId', '=', organizationId)
        .where(pipelineOfRowIsVisible(context, 'j.pipelineId', organizationId));
      if (agent) query = query.where('j.agentId', '=', agent.id);
    }
    const rules = build || agent ? null : request.agentQueryRules;
    const sets = rules?.length ? await ruleSetsWith(context.db, subject.organization?.id ?? '', rules) : null;
    if (sets) query = query.where(inRuleSets(sets));
    query = filterJobs(context, query, sets ? { ...request, agentQueryRules: null } : request);
    return paginate(context.db, query, jobOrderings[request.order], request.paging);
  },
});

/** Jobs whose set of agent query rules has one of these hashes. The second condition lets the partial index be used. */
const inRuleSets = (hashes: readonly string[]) =>
  sql<boolean>`hash_array_extended(j.agent_query_rules, 0) =
    any(${sql.val(hashes)}::bigint[]) and j.agent_query_rules <> '{}'`;

const dayMs = 86_400_000;

type JobQuery<Row> = SelectQueryBuilder<Database & { j: Database['jobs'] }, 'j', Row>;

/** Applies the filters shared by all job lists to a query over `jobs as j`. */
export function filterJobs<Row>(
  context: Context,
  jobs: JobQuery<Row>,
  request: z.output<typeof jobFilters>,
): JobQuery<Row> {
  let query = jobs;
  if (request.agentQueryRules?.length)
    query = query.where(sql<boolean>`j.agent_query_rules @> ${sql.val(request.agentQueryRules)}::text[]`);
  if (request.clusterId) query = query.where('j.clusterId', '=', isId(request.clusterId) ? request.clusterId : null);
  if (request.clusterQueueIds?.length)
    query = query.where('j.clusterQueueId', 'in', request.clusterQueueIds.filter(isId));
  if (request.clustered === false) query = query.where('j.clusterId', 'is', null);
  if (request.concurrencyGroups?.length) query = query.where('j.concurrencyGroup', 'in', request.concurrencyGroups);
  // Jobs are listed by id, which begins with about the time of creation: the range of ids keeps the list from stepping
  // over every newer job.
  if (request.createdFrom)
    query = query
      .where('j.createdAt', '>=', request.createdFrom)
      .where('j.id', '>=', lowestIdAt(request.createdFrom.getTime() - idMayDifferMs));
  if (request.createdTo)
    query = query
      .where('j.createdAt', '<', request.createdTo)
      .where('j.id', '<', lowestIdAt(request.createdTo.getTime() + idMayDifferMs));
  if (request.finishedOn)
    query = query
      .where('j.finishedAt', '>=', request.finishedOn)
      .where('j.finishedAt', '<', new Date(request.finishedOn.getTime() + dayMs))
      .where('j.id', '<', lowestIdAt(request.finishedOn.getTime() + dayMs + idMayDifferMs));
  if (request.finishedFrom) query = query.where('j.finishedAt', '>=', request.finishedFrom);
  // A job finishes after it was created.
  if (request.finishedTo)
    query = query
      .where('j.finishedAt', '<', request.finishedTo)
      .where('j.id', '<', lowestIdAt(request.finishedTo.getTime() + idMayDifferMs));
  // A soft failure has not passed: `passed: false` finds it.
  if (request.passed !== null && request.passed !== undefined)
    query = query.where('j.state', '=', 'finished').where('j.passed', '=', request.passed);
  if (request.priorities?.length) query = query.where('j.priority', 'in', request.priorities);
  if (request.states?.length) query = query.where('j.state', 'in', request.states);
  if (request.types?.length) query = query.where('j.type', 'in', request.types);
  if (request.stepKeys?.length)
    query = query.where(({ exists }) => exists(stepOfJob(context).where('s.key', 'in', request.stepKeys ?? [])));
  if (request.groupKeys?.length)
    query = query.where(({ exists }) =>
      exists(
        stepOfJob(context)
          .innerJoin('steps as g', (join) =>
            join.onRef('g.id', '=', 's.groupId').onRef('g.organizationId', '=', 's.organizationId'),
          )
          .where('g.key', 'in', request.groupKeys ?? []),
      ),
    );
  if (request.shownStates?.length) query = query.where(shownStateIs(request.shownStates));
  if (request.includeRetried === false) query = query.where('j.retried', '=', false);
  if (request.order === 'assigned') query = query.where('j.assignedAt', 'is not', null);
  return query;
}

/** The step of `j`, to be looked for by its id, or by its key first: keys are indexed within organizations. */
const stepOfJob = (context: Context) =>
  context.db
    .selectFrom('steps as s')
    .select('s.id')
    .where(sql<boolean>`s.id = j.step_id and s.organization_id = j.organization_id`);

/** Matches jobs in the states of these words. A running job that promised a hard failure counts as failed. */
function shownStateIs(words: readonly string[]) {
  const read = readJobListStates(words);
  if ('unknown' in read)
    throw new Problem('malformed', `Unknown state: ${read.unknown}. Valid states are ${jobListStates.join(', ')}.`);
  const promised = sql<boolean>`(j.state = 'running' and j.promised_exit_status is not null and not j.soft_failed)`;
  const conditions = [
    ...(read.states.length > 0 ? [sql<boolean>`j.state in (${sql.join(read.states)})`] : []),
    ...(read.passed ? [sql<boolean>`(j.state = 'finished' and (j.passed or j.type = 'wait'))`] : []),
    ...(read.failed ? [sql<boolean>`(j.state = 'finished' and not j.passed and j.type <> 'wait')`, promised] : []),
    ...(read.running ? [sql<boolean>`(j.state = 'running' and not ${promised})`] : []),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

export const jobOrderings: Record<'created' | 'assigned' | 'pipeline', Ordering<JobRow>> = {
  created: newestFirst('j.id'),
  assigned: {
    column: 'j.assigned_at',
    id: 'j.id',
    direction: 'desc',
    key: (job) => job.assignedAt?.toISOString() ?? '',
    type: 'timestamptz',
  },
  pipeline: { column: 'j.position', id: 'j.id', direction: 'asc', key: (job) => job.position, type: 'int' },
};

/** What cursors of these orders have of a row, besides its id. */
export const keysOfOrderings = { created: null, assigned: 'assignedAt', pipeline: 'position' } as const satisfies {
  [O in keyof typeof jobOrderings]: keyof JobRow | null;
};
