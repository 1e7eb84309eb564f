import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { isUnblockable } from '../../domain/job-state.js';
import type { JobRow } from '../../entities/database.js';
import { Build } from '../builds/build.js';
import type { GraphqlContext } from '../context.js';
import { JobStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { JobInterface } from './job-interface.js';
import { StepInput } from './step.js';

@ObjectType({ implements: [JobInterface, Node], description: 'A job that waits for a person.' })
export class JobTypeBlock {
  @Field(() => String, optional)
  label!: string | null;

  @Field(() => JobStates)
  state!: string;

  @Field(() => Boolean, { description: 'Whether it is done, and well.' })
  passed!: boolean;

  @Field(() => DateTime, optional)
  unblockedAt!: Date | null;
}

@Resolver(() => JobTypeBlock)
export class JobTypeBlockResolver {
  @FieldResolver(() => Build, optional)
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.build.load(job.buildId);
  }

  @FieldResolver(() => Boolean, { ...optional, description: 'Whether it may be released now.' })
  isUnblockable(@Root() job: JobRow): boolean {
    return isUnblockable(job.type, job.state) ?? false;
  }

  @FieldResolver(() => StepInput, optional)
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }

  @FieldResolver(() => User, optional)
  unblockedBy(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, job.unblockedById);
  }
}
