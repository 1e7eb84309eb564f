import { Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { LogSearchPlace } from '../../domain/builds/logs/search/search-places.js';
import type { OrganizationRow } from '../../entities/database.js';
import { searchOrganizationLogs } from '../../operations/builds/logs/search.js';
import { webUrls } from '../../services/web-urls.js';
import type { GraphqlContext } from '../context.js';
import { JobStates, LogSearchPlaces } from '../enums.js';
import { ReadBy } from '../execution/on-the-way.js';
import { Dear, dear } from '../limits/dear.js';
import { Organization } from '../organizations/organization.js';
import { DateTime } from '../scalars/date-time.js';
import { JSInt } from '../scalars/numbers.js';
import { optional } from '../server/options.js';

@ObjectType({ description: 'Line of a log that matches a search.' })
export class LogSearchMatch {
  @Field(() => String, { description: 'Slug of the pipeline.' })
  pipelineSlug!: string;

  @Field(() => Int, { description: 'Number of the build.' })
  buildNumber!: number;

  @Field(() => String, { description: 'UUID of the job.' })
  jobUuid!: string;

  @Field(() => Int, { description: 'Number of the line in the log, from 1.' })
  line!: number;

  @Field(() => String, {
    description: 'The line without escape sequences, at most 1,000 characters round the match.',
  })
  text!: string;

  @Field(() => String, { description: 'Page of the log at the line.' })
  url!: string;

  @Field(() => String, {
    ...optional,
    description:
      'Hash of the failure of the job, the same where jobs failed alike; null in whole logs and where none is.',
  })
  cluster!: string | null;
}

@ObjectType({ description: 'Lines that a search of logs has found.' })
export class LogSearch {
  @Field(() => [LogSearchMatch], { description: 'Lines that match, of the newest job first.' })
  matches!: LogSearchMatch[];

  @Field(() => String, {
    ...optional,
    description: 'Value of `after` with which the search goes on; null once all logs were looked through.',
  })
  cursor!: string | null;

  @Field(() => JSInt, {
    description: 'Bytes of logs that this request has read. Logs that cannot match are left unread.',
  })
  scannedBytes!: number;

  @Field(() => Boolean, { description: 'Whether all logs were looked through.' })
  complete!: boolean;
}

@ArgsType()
class LogSearchFilters {
  @Field(() => String, {
    description:
      'Text to find in lines, in any case of its letters; with `regexp` a regular expression. It may be empty beside ' +
      '`cluster`.',
  })
  text!: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether `text` is a regular expression (RE2, without named groups).',
  })
  regexp!: boolean;

  @Field(() => LogSearchPlaces, {
    defaultValue: 'logs',
    description: 'Whole logs, or the lines that are kept of each failed job: what no passed run of its step has.',
  })
  in!: LogSearchPlace;

  @Field(() => String, {
    ...optional,
    description: 'Only extracts of jobs that failed alike, which have this `cluster`.',
  })
  cluster?: string | null;

  @Field(() => String, { ...optional, description: 'Slug of the only pipeline.' })
  pipeline?: string | null;

  @Field(() => String, { ...optional, description: 'Only logs of builds of this branch; `*` matches any text.' })
  branch?: string | null;

  @Field(() => [JobStates], { ...optional, description: 'Only logs of jobs in these states.' })
  state?: string[] | null;

  @Field(() => Boolean, { ...optional, description: 'Only logs of jobs that passed, or failed, softly too.' })
  passed?: boolean | null;

  @Field(() => String, { ...optional, description: 'Only logs of jobs of the step with this key or label.' })
  step?: string | null;

  @Field(() => DateTime, { ...optional, description: 'Only logs of jobs created at or after this time.' })
  createdAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only logs of jobs created before this time.' })
  createdAtTo?: Date | null;

  @Field(() => Int, { defaultValue: 30, description: 'Most lines, 1 to 100.' })
  first!: number;

  @Field(() => String, { ...optional, description: 'The `cursor` of the reply before: the search goes on there.' })
  after?: string | null;
}

@Resolver(() => Organization)
export class OrganizationLogSearchResolver {
  @Dear(dear.wholeLog)
  @ReadBy(searchOrganizationLogs)
  @FieldResolver(() => LogSearch, {
    ...optional,
    description: 'Search for lines in the logs of the jobs of the organization, newest first.',
  })
  async logSearch(
    @Root() { id }: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => LogSearchFilters)
    { text: q, state, createdAtFrom, createdAtTo, first, after, ...filters }: LogSearchFilters,
  ): Promise<LogSearch> {
    // States that only a platform assigns match no job.
    const states = state?.filter((each) => !each.startsWith('platform_'));
    if (state?.length && states?.length === 0) return { matches: [], cursor: null, scannedBytes: 0, complete: true };
    const { matches, ...rest } = await context.perform(searchOrganizationLogs, {
      ...filters,
      organization: { id },
      q,
      states,
      createdFrom: createdAtFrom,
      createdTo: createdAtTo,
      perPage: first,
      cursor: after,
    });
    return {
      ...rest,
      matches: matches.map(({ organization, pipeline, build, job, line, text, cluster }) => ({
        pipelineSlug: pipeline.slug,
        buildNumber: build.number,
        jobUuid: job.id,
        line: line + 1,
        text,
        url: webUrls.logLine(context.baseUrl, organization.slug, pipeline.slug, build.number, job.id, line + 1),
        cluster,
      })),
    };
  }
}
