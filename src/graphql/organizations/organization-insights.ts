import { Args, ArgsType, Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../entities/database.js';
import { getInsights } from '../../operations/organizations/get-insights.js';
import type { GraphqlContext } from '../context.js';
import { InsightGroups } from '../enums.js';
import { ReadBy } from '../execution/on-the-way.js';
import { Dear, dear } from '../limits/dear.js';
import { DateTime } from '../scalars/date-time.js';
import { JSInt } from '../scalars/numbers.js';
import { optional } from '../server/options.js';
import { Organization } from './organization.js';

@ObjectType({
  description: 'Figures of the builds and jobs of a pipeline, branch, queue, step, day or hour; times are seconds.',
})
export class Insight {
  @Field(() => String, {
    description:
      'Slug of the pipeline, branch, key of the queue, slug of the pipeline and name of the step, ' +
      'or beginning of the day or hour.',
  })
  key!: string;

  @Field(() => Int, { description: 'Number of builds that have ended.' })
  builds!: number;

  @Field(() => Int, { description: 'Number of them that failed; of a queue or step by a job there.' })
  failed!: number;

  @Field(() => Float, {
    ...optional,
    name: 'durationP50',
    description: 'Median of the seconds that builds took; of a queue or step those of jobs.',
  })
  durationP50!: number | null;

  @Field(() => Float, { ...optional, name: 'durationP90', description: 'The same, of 90 percent.' })
  durationP90!: number | null;

  @Field(() => Float, { ...optional, name: 'durationP95', description: 'The same, of 95 percent.' })
  durationP95!: number | null;

  @Field(() => Float, {
    ...optional,
    name: 'waitP50',
    description: 'Median of the seconds for which jobs waited for an agent.',
  })
  waitP50!: number | null;

  @Field(() => Float, { ...optional, name: 'waitP90', description: 'The same, of 90 percent.' })
  waitP90!: number | null;

  @Field(() => Float, { ...optional, name: 'waitP95', description: 'The same, of 95 percent.' })
  waitP95!: number | null;

  @Field(() => Int, { description: 'Number of jobs that were run again.' })
  retried!: number;

  @Field(() => Float, { description: 'Seconds for which agents ran jobs.' })
  agentSeconds!: number;

  @Field(() => Float, {
    ...optional,
    description: 'Cost of these seconds at the present prices of their queues; null where none of these has one.',
  })
  cost!: number | null;

  @Field(() => JSInt, { description: 'Bytes of the logs of jobs, those that have been deleted aside.' })
  logBytes!: number;

  @Field(() => JSInt, { description: 'Bytes of the artifacts of jobs that came to the storage.' })
  artifactBytes!: number;

  @Field(() => Float, {
    ...optional,
    description:
      'Seconds for which agents were connected in this time, all together: of a queue, day or hour, of all ' +
      'pipelines; null where none was, or nothing counted them.',
  })
  agentsConnectedSeconds!: number | null;

  @Field(() => Float, {
    ...optional,
    description: 'Part of these seconds, from 0 to 1, for which the agents held a job; null the same.',
  })
  agentsBusyShare!: number | null;
}

@ArgsType()
class InsightArguments {
  @Field(() => InsightGroups, { defaultValue: InsightGroups.PIPELINE, description: 'Grouping of the figures.' })
  by!: string;

  @Field(() => DateTime, { ...optional, description: 'Only builds created at or after this time; a week before `to`.' })
  from?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only builds created before this time; now by default.' })
  to?: Date | null;

  @Field(() => Int, {
    ...optional,
    description: 'In place of `from` and `to`: only builds created in the last so many hours of UTC that are over.',
  })
  hours?: number | null;

  @Field(() => String, { ...optional, description: 'Slug of the only pipeline.' })
  pipeline?: string | null;

  @Field(() => String, { ...optional, description: 'Name of the only branch.' })
  branch?: string | null;

  @Field(() => String, { ...optional, description: 'Key of the only queue, or `CLUSTER/QUEUE`.' })
  queue?: string | null;

  @Field(() => String, { ...optional, description: 'Only step, `PIPELINE/STEP`.' })
  step?: string | null;
}

@Resolver(() => Organization)
export class OrganizationInsightsResolver {
  @Dear(dear.manyRows)
  @ReadBy(getInsights)
  @FieldResolver(() => [Insight], {
    ...optional,
    description:
      'Durations, waits, failures and retries of builds and jobs, most builds first, days and hours in their order; ' +
      'at most 500 rows.',
  })
  async insights(
    @Root() { id }: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => InsightArguments) input: InsightArguments,
  ): Promise<Insight[]> {
    return context.perform(getInsights, { organization: { id }, ...input });
  }
}
