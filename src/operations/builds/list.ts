import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../request/context.js';
import { withVersion } from '../../database/row-version.js';
import { likePattern } from '../../domain/pipelines/branch-pattern.js';
import { expandBuildStateFilter } from '../../domain/builds/build-state.js';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import type { ShownBuildRow, Database } from '../../entities/database.js';
import { shownColumns } from '../../entities/shown-columns.js';
import { isId, organizationAddress, pipelineAddress } from '../../core/address.js';
import { findOrganization, findPipeline, pipelineOfRowIsVisible } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import {
  defaultPaging,
  newestFirst,
  type Ordering,
  type Page,
  paginate,
  paging,
  refuseDeepPage,
} from '../../core/paging.js';
import type { EverywhereSubject, OrganizationSubject, PipelineSubject } from '../../core/subject.js';
import { text } from '../../domain/input-text.js';

/** Keys of meta-data that one list can be filtered by. */
export const metaDataFilterKeys = 10;

const words = z
  .array(text(limits.filterLength))
  .max(limits.filterValues, `has more than ${limits.filterValues} values`)
  .nullish();

/** Filters shared by all build lists. */
export const filters = z.object({
  branch: words,
  commit: words,
  createdFrom: z.date().nullish(),
  createdTo: z.date().nullish(),
  finishedFrom: z.date().nullish(),
  creator: text(limits.filterLength).nullish(),
  metaData: z
    .record(z.string(), z.string())
    .refine((data) => Object.keys(data).length <= metaDataFilterKeys, `at most ${metaDataFilterKeys} keys`)
    .nullish(),
  state: words,
});

/**
 * GET builds: lists the builds of all the caller's organizations, of one organization, of one pipeline, or those that
 * a user created, newest first.
 */
export const listBuilds = defineOperation({
  name: 'build.list',
  summary: 'Lists builds, newest first.',
  kind: 'query',
  mayLag: true,
  scope: 'read_builds',
  access: 'visible',
  input: filters.extend({
    within: z
      .union([
        z.object({ pipeline: pipelineAddress }),
        z.object({ organization: organizationAddress }),
        z.object({ creatorId: z.string() }),
        z.object({}),
      ])
      .default({}),
    /** Only builds created by this schedule of the pipeline. */
    pipelineScheduleId: z.uuid().nullish(),
    /** Only builds of commits that begin so. */
    commitPrefix: z
      .string()
      .regex(/^[0-9a-f]{7,40}$/i, 'is 7 to 40 hexadecimal digits')
      .nullish(),
    /** Only builds whose message has this text, in whatever case, among the newest of the organization. */
    message: text(limits.filterLength).nullish(),
    paging: paging.default(defaultPaging),
  }),
  subject: async (context, { within }): Promise<EverywhereSubject | OrganizationSubject | PipelineSubject | null> => {
    if ('pipeline' in within) return findPipeline(context, within.pipeline);
    if ('organization' in within) return findOrganization(context, within.organization);
    return { everywhere: true };
  },
  run: async (context, input, subject): Promise<Page<ShownBuildRow>> => {
    let query = withVersion(context.db.selectFrom('builds as b').select(shownColumns('builds', 'b')), 'b');
    // A single pipeline was found, so it may be seen; wider lists ask of each pipeline.
    if (subject.pipeline) query = query.where('b.pipelineId', '=', subject.pipeline.id);
    else {
      if (subject.organization) query = query.where('b.organizationId', '=', subject.organization.id);
      // Everywhere means the caller's own organizations, not those it may only visit.
      else if (context.actor.kind === 'user' && !('creatorId' in input.within))
        query = query.where(sql<boolean>`b.organization_id = any(${[...context.actor.roles.keys()]}::uuid[])`);
      query = query.where(pipelineOfRowIsVisible(context, 'b.pipelineId', subject.organization?.id ?? null));
    }
    if ('creatorId' in input.within) query = query.where('b.creatorId', '=', input.within.creatorId);
    if (input.pipelineScheduleId) query = query.where('b.pipelineScheduleId', '=', input.pipelineScheduleId);
    if (input.commitPrefix) query = query.where(beginsWith(input.commitPrefix.toLowerCase()));
    if (input.message)
      query = query.where(
        subject.organization && !subject.pipeline
          ? hasMessage(input.message, subject.organization.id)
          : refuse('message is looked for in an organization'),
      );
    query = filterBuilds(context, query, input);
    refuseDeepPage(input.paging);
    return paginate(context.db, query, orderingOf(input, subject.pipeline !== undefined), input.paging);
  },
});

/**
 * Builds of commits with this beginning. The range lets an index of commits be used in whatever collation: hexadecimal
 * digits come before `g` in all of them.
 */
const beginsWith = (prefix: string) =>
  sql<boolean>`(b.commit >= ${prefix} and b.commit < ${`${prefix}g`} and starts_with(b.commit, ${prefix}))`;

/** No index knows what is in a message, so only the newest builds are looked through. */
const hasMessage = (words: string, organizationId: string) =>
  sql<boolean>`(position(lower(${words}::text) in lower(b.message)) > 0 and b.id >= coalesce((
    select n.id from builds n where n.organization_id = ${organizationId}
    order by n.id desc offset ${limits.searchedBuilds - 1} limit 1), '00000000-0000-0000-0000-000000000000'))`;

/** Order of the builds of one pipeline. */
export const byNumber: Ordering<ShownBuildRow> = {
  column: 'b.number',
  id: 'b.id',
  direction: 'desc',
  unique: true,
  key: ({ number }) => number,
  type: 'int',
};

/**
 * Newest first. From or up to a time the list is read by time, which an index holds, and not by number or id, which
 * would step over every newer build; builds are numbered in the order of their times.
 */
function orderingOf(
  { createdFrom, createdTo }: z.output<typeof filters>,
  ofPipeline: boolean,
): Ordering<ShownBuildRow> {
  if (createdFrom || createdTo) return byTime;
  return ofPipeline ? byNumber : newestFirst<ShownBuildRow>('b.id');
}

const byTime: Ordering<ShownBuildRow> = {
  column: 'b.created_at',
  id: 'b.id',
  direction: 'desc',
  key: ({ createdAt }) => createdAt.toISOString(),
  type: 'timestamptz',
};

type BuildQuery = SelectQueryBuilder<Database & { b: Database['builds'] }, 'b', ShownBuildRow>;

/** Applies the filters shared by all build lists to a query over `builds as b`. */
export function filterBuilds(context: Context, builds: BuildQuery, input: z.output<typeof filters>): BuildQuery {
  let query = builds;
  if (input.branch?.length) query = query.where(branchFilter(input.branch));
  if (input.commit?.length) query = query.where('b.commit', 'in', input.commit);
  if (input.createdFrom) query = query.where('b.createdAt', '>=', input.createdFrom);
  if (input.createdTo) query = query.where('b.createdAt', '<', input.createdTo);
  if (input.finishedFrom) query = query.where('b.finishedAt', '>=', input.finishedFrom);
  if (input.creator)
    query = query.where(
      'b.creatorId',
      '=',
      isId(input.creator) ? input.creator : refuse('creator must be the id of a user'),
    );
  if (input.state?.length) query = query.where('b.state', 'in', stateFilter(input.state));
  for (const [key, value] of Object.entries(input.metaData ?? {})) {
    query = query.where('b.id', 'in', metaDataFilter(context, key, value));
  }
  return query;
}

function stateFilter(words: string[]) {
  const expanded = expandBuildStateFilter(words);
  if ('unknown' in expanded)
    return refuse(
      `Unknown state: ${expanded.unknown}. Valid states are running, scheduled, passed, failing, failed, ` +
        `blocked, canceled, canceling, skipped, not_run, finished.`,
    );
  return expanded.states;
}

/** Builds of one of these branches; `*` stands for any text. */
export function branchFilter(branches: readonly string[]) {
  const exact = branches.filter((branch) => !branch.includes('*'));
  const wild = branches.filter((branch) => branch.includes('*')).map(likePattern);
  const conditions = [
    ...(exact.length > 0 ? [sql<boolean>`b.branch in (${sql.join(exact)})`] : []),
    ...wild.map((pattern) => sql<boolean>`b.branch like ${pattern}`),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function metaDataFilter(context: Context, key: string, value: string) {
  return (
    context.db
      .selectFrom('build_meta_data as m')
      .select('m.buildId')
      .where('m.key', '=', key)
      .where('m.value', '=', value)
      // What the index holds of a value.
      .where(sql<boolean>`hashtextextended(m.value, 0) = hashtextextended(${value}, 0)`)
  );
}

function refuse(message: string): never {
  throw new Problem('malformed', message);
}
