import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { LiveEvent } from '../../operations/live/read-events.js';
import { Agent } from '../agents/agent.js';
import { Build } from '../builds/build.js';
import type { GraphqlContext } from '../context.js';
import { JobEventActor } from '../jobs/job-event.js';
import { Job } from '../jobs/job.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { DateTime } from '../scalars/date-time.js';
import { JSInt } from '../scalars/numbers.js';
import type { UpdateValue } from './streams.js';

@ObjectType({ description: 'Something that happened to a build, a job, an agent or a pipeline.' })
export class StateChange {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'What happened, such as `job.start`.' })
  type!: string;

  @Field(() => String, { description: 'The kind of thing it happened to, such as `job`.' })
  subject!: string;

  @Field(() => ID, { name: 'subjectUuid' })
  subjectId!: string;

  @Field(() => String, optional)
  fromState!: string | null;

  @Field(() => String, optional)
  toState!: string | null;

  @Field(() => String, optional)
  reason!: string | null;

  @Field(() => Int, { description: 'Its place among what happened in the build; 0 outside of builds.' })
  sequence!: number;

  @Field(() => DateTime)
  createdAt!: Date;
}

@Resolver(() => StateChange)
export class StateChangeResolver {
  @FieldResolver(() => JobEventActor)
  actor(@Root() event: LiveEvent) {
    return { type: event.actorType, uuid: event.actorId };
  }
}

/** Members of every update. */
@ObjectType()
class Update {
  @Field(() => String, { description: 'Give it as `after` to go on behind this message, on any server.' })
  cursor!: string;

  @Field(() => StateChange, { ...optional, description: 'What happened; null in the first message, which says where the stream starts.' })
  event!: LiveEvent | null;
}

@ObjectType({ description: 'News of a build.' })
export class BuildUpdate extends Update {}

@ObjectType({ description: 'News of a job.' })
export class JobUpdate extends Update {}

@ObjectType({ description: 'News of a pipeline or one of its builds.' })
export class PipelineUpdate extends Update {}

@ObjectType({ description: 'News of an agent.' })
export class AgentUpdate extends Update {}

@ObjectType({ description: 'News of an annotation of a build.' })
export class AnnotationUpdate extends Update {}

@ObjectType({ description: 'More of what a job has written.' })
export class JobLogUpdate {
  @Field(() => String, { description: 'Give it as `after` to go on behind this message: the bytes seen so far.' })
  cursor!: string;

  @Field(() => String, { description: 'Whole lines, as the job wrote them.' })
  content!: string;

  @Field(() => JSInt, { description: 'Where the content begins in the log, in bytes.' })
  offset!: number;

  @Field(() => JSInt, { description: 'Bytes of the whole log by now.' })
  size!: number;

  @Field(() => Boolean, { description: 'The job has finished and nothing follows.' })
  finished!: boolean;
}

@Resolver(() => BuildUpdate)
export class BuildUpdateResolver {
  @FieldResolver(() => Build, { ...optional, description: 'The build as it is now.' })
  build(@Root() { subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.follow('read_builds', context.load.build, subjectId);
  }

  @FieldResolver(() => Job, { ...optional, description: 'The job it happened to, if it was one, as it is now.' })
  job(@Root() { event }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.follow('read_builds', context.load.job, event?.jobId ?? null);
  }
}

@Resolver(() => JobUpdate)
export class JobUpdateResolver {
  @FieldResolver(() => Job, { ...optional, description: 'The job as it is now.' })
  job(@Root() { subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.follow('read_builds', context.load.job, subjectId);
  }
}

@Resolver(() => PipelineUpdate)
export class PipelineUpdateResolver {
  @FieldResolver(() => Pipeline, { ...optional, description: 'The pipeline as it is now.' })
  pipeline(@Root() { event, subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.follow('read_pipelines', context.load.pipeline, event?.pipelineId ?? subjectId);
  }

  @FieldResolver(() => Build, { ...optional, description: 'The build it happened to, if it was one, as it is now.' })
  build(@Root() { event }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.follow('read_builds', context.load.build, event?.buildId ?? null);
  }
}

@Resolver(() => AgentUpdate)
export class AgentUpdateResolver {
  @FieldResolver(() => Agent, { ...optional, description: 'The agent as it is now.' })
  agent(@Root() { event }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.follow('read_agents', context.load.agent, event?.agentId ?? null);
  }
}

@Resolver(() => AnnotationUpdate)
export class AnnotationUpdateResolver {
  @FieldResolver(() => Build, { ...optional, description: 'The build the annotation is of.' })
  build(@Root() { subjectId }: UpdateValue, @Ctx() context: GraphqlContext) {
    return context.follow('read_builds', context.load.build, subjectId);
  }
}
