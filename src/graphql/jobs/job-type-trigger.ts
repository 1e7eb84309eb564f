import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../entities/database.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import { Build, jobUrl } from '../builds/build.js';
import type { GraphqlContext } from '../context.js';
import { JobStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { JobInterface } from './job-interface.js';
import { StepTrigger } from './step.js';

@ObjectType({ implements: [JobInterface, Node], description: 'A job that starts a build of another pipeline.' })
export class JobTypeTrigger {
  @Field(() => String, optional)
  label!: string | null;

  @Field(() => JobStates)
  state!: string;

  @Field(() => Boolean, { description: 'Whether it is done as soon as that build is started.' })
  async!: boolean;

  @Field(() => Boolean, { description: 'Whether it is done, and well.' })
  passed!: boolean;

  @Field(() => DateTime, optional)
  createdAt!: Date;

  @Field(() => DateTime, optional)
  scheduledAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'When nothing kept it from starting that build any more.' })
  runnableAt!: Date | null;

  @Field(() => DateTime, optional)
  startedAt!: Date | null;

  @Field(() => DateTime, optional)
  finishedAt!: Date | null;
}

@Resolver(() => JobTypeTrigger)
export class JobTypeTriggerResolver {
  @FieldResolver(() => Build, optional)
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.build.load(job.buildId);
  }

  @FieldResolver(() => StepTrigger, optional)
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }

  @FieldResolver(() => Build, { ...optional, description: 'The build it started, if the viewer may see that one.' })
  async triggered(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    const build = await context.follow(null, context.load.build, job.triggeredBuildId);
    return build && (await context.among(pipelineLevels, 'pipelineIds', build.pipelineId)) ? build : null;
  }

  @FieldResolver(() => String, { description: 'The place of the job on the page of its build.' })
  url(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<string> {
    return jobUrl(context, job);
  }
}
