import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../../entities/database.js';
import { Build } from '../build.js';
import type { GraphqlContext } from '../../context.js';
import { Reads } from '../../execution/reads.js';
import { JobStates } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { JobInterface } from './job-interface.js';
import { StepWait } from './step.js';

@ObjectType({ implements: [JobInterface, Node], description: 'Job of a wait step, which waits for the steps before.' })
export class JobTypeWait {
  @Field(() => String, { ...optional, description: 'Label of the step.' })
  label!: string | null;

  @Field(() => JobStates, { description: 'State of the job.' })
  state!: string;
}

@Resolver(() => JobTypeWait)
export class JobTypeWaitResolver {
  @Reads<JobRow>('buildId')
  @FieldResolver(() => Build, { ...optional, description: 'Build of the job.' })
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, job.buildId);
  }

  @Reads<JobRow>('stepId')
  @FieldResolver(() => StepWait, { ...optional, description: 'Step of the job.' })
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }
}
