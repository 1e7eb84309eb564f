import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { isUnblockable } from '../../../domain/builds/job-state.js';
import type { JobRow } from '../../../entities/database.js';
import { Build } from '../build.js';
import type { GraphqlContext } from '../../context.js';
import { Reads } from '../../execution/reads.js';
import { JobStates } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';
import { JobInterface } from './job-interface.js';
import { StepInput } from './step.js';

@ObjectType({ implements: [JobInterface, Node], description: 'Job of a block or input step, which waits for a user.' })
export class JobTypeBlock {
  @Field(() => String, { ...optional, description: 'Label of the step.' })
  label!: string | null;

  @Field(() => JobStates, { description: 'State of the job.' })
  state!: string;

  @Field(() => Boolean, { description: 'Whether the job passed; false before the job is unblocked.' })
  passed!: boolean;

  @Field(() => DateTime, { ...optional, description: 'Time the job was unblocked; null before.' })
  unblockedAt!: Date | null;
}

@Resolver(() => JobTypeBlock)
export class JobTypeBlockResolver {
  @Reads<JobRow>('buildId')
  @FieldResolver(() => Build, { ...optional, description: 'Build of the job.' })
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, job.buildId);
  }

  @Reads<JobRow>('type', 'state')
  @FieldResolver(() => Boolean, { ...optional, description: 'Whether the job can be unblocked now.' })
  isUnblockable(@Root() job: JobRow): boolean {
    return isUnblockable(job.type, job.state) ?? false;
  }

  @Reads<JobRow>('stepId')
  @FieldResolver(() => StepInput, { ...optional, description: 'Step of the job.' })
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }

  @Reads<JobRow>('unblockedById')
  @FieldResolver(() => User, { ...optional, description: 'User who unblocked the job; null before.' })
  unblockedBy(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, job.unblockedById);
  }
}
