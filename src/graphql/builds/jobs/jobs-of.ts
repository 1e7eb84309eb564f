import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { ShownBuildRow, ShownPipelineRow } from '../../../entities/database.js';
import { listJobsOfBuilds } from '../../../operations/builds/jobs/list-of-builds.js';
import { listJobs } from '../../../operations/builds/jobs/list.js';
import { connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Reads } from '../../execution/reads.js';
import { columnsOfNodes } from '../../execution/look-ahead.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { optional } from '../../server/options.js';
import { Build } from '../build.js';
import { JobArguments, jobFilterInput } from './job-arguments.js';
import { JobConnection } from './job.js';
import { ReadBy } from '../../execution/on-the-way.js';

const filterOf = (args: JobArguments) => jobFilterInput(args, args.priority?.number, args.order);

@Resolver(() => Build)
export class JobsOfBuildResolver {
  @Reads<ShownBuildRow>('id')
  @FieldResolver(() => JobConnection, { ...optional, description: 'Jobs of the build, retried jobs included.' })
  async jobs(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => JobArguments) args: JobArguments,
    @Info() info: GraphQLResolveInfo,
  ) {
    const input = { ...filterOf(args), columns: columnsOfNodes(info) };
    return connectionValue(await context.performInBatch(listJobsOfBuilds, { buildIds: build.id }, input));
  }
}

@Resolver(() => Pipeline)
export class JobsOfPipelineResolver {
  @ReadBy(listJobs)
  @FieldResolver(() => JobConnection, {
    ...optional,
    description: 'Jobs of all builds of the pipeline, retried jobs included.',
  })
  async jobs(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => JobArguments) args: JobArguments,
  ) {
    return connectionValue(
      await context.findInBatch(listJobs, { within: { pipeline: { id: pipeline.id } } }, filterOf(args)),
    );
  }
}
