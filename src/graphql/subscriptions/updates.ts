import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { LiveEvent } from '../../event-stream/read-events.js';
import { Agent } from '../agents/agent.js';
import { Build } from '../builds/build.js';
import type { GraphqlContext } from '../context.js';
import { JobEventActor } from '../builds/job-events/job-event.js';
import { Job } from '../builds/jobs/job.js';
import { optional } from '../server/options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { DateTime } from '../scalars/date-time.js';
import { JSInt } from '../scalars/numbers.js';
import type { UpdateValue } from './streams.js';

@ObjectType({ description: 'Change of a build, a job, an agent or a pipeline.' })
export class StateChange {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the event.' })
  id!: string;

  @Field(() => String, { description: 'Type of the event, such as `job.start`.' })
  type!: string;

  @Field(() => String, { description: 'Kind of object that changed, such as `job`.' })
  subject!: string;

  @Field(() => ID, { name: 'subjectUuid', description: 'UUID of the object that changed.' })
  subjectId!: string;

  @Field(() => String, { ...optional, description: 'State before the change; null if the state did not change.' })
  fromState!: string | null;

  @Field(() => String, { ...optional, description: 'State after the change; null if the state did not change.' })
  toState!: string | null;

  @Field(() => String, { ...optional, description: 'Reason of the change; null if none was recorded.' })
  reason!: string | null;

  @Field(() => Int, { description: 'Number of the event in its build, from 1; 0 for an event of no build.' })
  sequence!: number;

  @Field(() => DateTime, { description: 'Time of the event.' })
  createdAt!: Date;
}

@Resolver(() => StateChange)
export class StateChangeResolver {
  @FieldResolver(() => JobEventActor, { description: 'User, agent or system that caused the event.' })
  actor(@Root() event: LiveEvent) {
    return { type: event.actorType, uuid: event.actorId };
  }
}

/** Members of every update. */
@ObjectType()
class Update {
  @Field(() => String, {
    description: 'Cursor of the message; pass it as `after` to resume the subscription after it, on any replica.',
  })
  cursor!: string;

  @Field(() => StateChange, {
    ...optional,
    description: 'State change; null in the first message, which gives the starting cursor.',
  })
  event!: LiveEvent | null;
}

@ObjectType({ description: 'Update of a build.' })
export class BuildUpdate extends Update {}

@ObjectType({ description: 'Update of a job.' })
export class JobUpdate extends Update {}

@ObjectType({ description: 'Update of a pipeline or one of its builds.' })
export class PipelineUpdate extends Update {}

@ObjectType({ description: 'Update of an agent.' })
export class AgentUpdate extends Update {}

@ObjectType({ description: 'Update of an annotation of a build.' })
export class AnnotationUpdate extends Update {}

@ObjectType({ description: 'New lines of the log of a job.' })
export class JobLogUpdate {
  @Field(() => String, {
    description: 'Bytes of the log up to the end of this message; pass it as `after` to resume the subscription.',
  })
  cursor!: string;

  @Field(() => String, { description: 'Whole lines of the log.' })
  content!: string;

  @Field(() => JSInt, { description: 'Offset of the content in the log, in bytes.' })
  offset!: number;

  @Field(() => JSInt, { description: 'Current size of the whole log in bytes.' })
  size!: number;

  @Field(() => Boolean, { description: 'Whether the job has finished and this is the last message.' })
  finished!: boolean;
}

@Resolver(() => BuildUpdate)
export class BuildUpdateResolver {
  @FieldResolver(() => Build, { ...optional, description: 'The build in its current state.' })
  build(@Root() { subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, subjectId);
  }

  @FieldResolver(() => Job, {
    ...optional,
    description: 'The changed job in its current state; null if no job changed.',
  })
  job(@Root() { event }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.job, event?.jobId ?? null);
  }
}

@Resolver(() => JobUpdate)
export class JobUpdateResolver {
  @FieldResolver(() => Job, { ...optional, description: 'The job in its current state.' })
  job(@Root() { subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.job, subjectId);
  }
}

@Resolver(() => PipelineUpdate)
export class PipelineUpdateResolver {
  @FieldResolver(() => Pipeline, { ...optional, description: 'The pipeline in its current state.' })
  pipeline(@Root() { event, subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_pipelines', context.references.pipeline, event?.pipelineId ?? subjectId);
  }

  @FieldResolver(() => Build, {
    ...optional,
    description: 'The changed build in its current state; null if no build changed.',
  })
  build(@Root() { event }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, event?.buildId ?? null);
  }
}

@Resolver(() => AgentUpdate)
export class AgentUpdateResolver {
  @FieldResolver(() => Agent, { ...optional, description: 'The agent in its current state.' })
  agent(@Root() { event }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_agents', context.load.agent, event?.agentId ?? null);
  }
}

@Resolver(() => AnnotationUpdate)
export class AnnotationUpdateResolver {
  @FieldResolver(() => Build, { ...optional, description: 'The build of the annotation.' })
  build(@Root() { subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, subjectId);
  }
}
