import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../entities/database.js';
import { Build } from '../builds/build.js';
import type { GraphqlContext } from '../context.js';
import { JobStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { JobInterface } from './job-interface.js';
import { StepWait } from './step.js';

@ObjectType({ implements: [JobInterface, Node], description: 'A job that waits for what stands before it.' })
export class JobTypeWait {
  @Field(() => String, optional)
  label!: string | null;

  @Field(() => JobStates)
  state!: string;
}

@Resolver(() => JobTypeWait)
export class JobTypeWaitResolver {
  @FieldResolver(() => Build, optional)
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.build.load(job.buildId);
  }

  @FieldResolver(() => StepWait, optional)
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }
}
