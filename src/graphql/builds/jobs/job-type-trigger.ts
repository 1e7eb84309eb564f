import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../../entities/database.js';
import { Build, jobUrl } from '../build.js';
import type { GraphqlContext } from '../../context.js';
import { Reads } from '../../execution/reads.js';
import { JobStates } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';
import { JobInterface } from './job-interface.js';
import { StepTrigger } from './step.js';

@ObjectType({
  implements: [JobInterface, Node],
  description: 'Job of a trigger step, which starts a build of another pipeline.',
})
export class JobTypeTrigger {
  @Field(() => String, { ...optional, description: 'Label of the step.' })
  label!: string | null;

  @Field(() => JobStates, { description: 'State of the job.' })
  state!: string;

  @Field(() => Boolean, { description: 'Whether the job passes as soon as the other build is created.' })
  async!: boolean;

  @Field(() => Boolean, { description: 'Whether the job finished and passed.' })
  passed!: boolean;

  @Field(() => DateTime, { ...optional, description: 'Time the job was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the job was scheduled; null before.' })
  scheduledAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job could start the other build; null before.' })
  runnableAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job started the other build; null before.' })
  startedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job ended; null before.' })
  finishedAt!: Date | null;
}

@Resolver(() => JobTypeTrigger)
export class JobTypeTriggerResolver {
  @Reads<JobRow>('buildId')
  @FieldResolver(() => Build, { ...optional, description: 'Build of the job.' })
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, job.buildId);
  }

  @Reads<JobRow>('stepId')
  @FieldResolver(() => StepTrigger, { ...optional, description: 'Step of the job.' })
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }

  @Reads<JobRow>('triggeredBuildId')
  @FieldResolver(() => Build, {
    ...optional,
    description: 'Build that the job started; null before, or when that build is hidden.',
  })
  triggered(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.references.build, job.triggeredBuildId);
  }

  @Reads<JobRow>('id', 'buildId')
  @FieldResolver(() => String, { description: "URL of the job on the build's page in the console." })
  url(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<string> {
    return jobUrl(context, job);
  }
}
