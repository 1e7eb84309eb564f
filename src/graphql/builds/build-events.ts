import { Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { BuildRow, EventRow } from '../../entities/database.js';
import { listEventsOfBuilds } from '../../operations/events/list-of-builds.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { JobEventActor, type JobEventActorValue } from '../jobs/job-event.js';
import { Job } from '../jobs/job.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';
import { Build } from './build.js';

@ObjectType({ description: 'Something that happened to a build or to a job of it.' })
export class BuildHistoryEvent {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => Int, { description: 'Its place in the history of the build, counted from 1.' })
  sequence!: number;

  @Field(() => String, { description: 'What happened, such as `job.start`.' })
  type!: string;

  @Field(() => String, { ...optional, name: 'from', description: 'The state before.' })
  fromState!: string | null;

  @Field(() => String, { ...optional, name: 'to', description: 'The state after.' })
  toState!: string | null;

  @Field(() => String, { ...optional, description: 'Why, where there is more to say.' })
  reason!: string | null;

  @Field(() => ID, { ...optional, name: 'agentUuid', description: 'The agent concerned.' })
  agentId!: string | null;

  @Field(() => DateTime, { name: 'timestamp' })
  createdAt!: Date;
}

export const { Connection: BuildHistoryEventConnection } = connectionOf('BuildHistoryEvent', () => BuildHistoryEvent);

@Resolver(() => BuildHistoryEvent)
export class BuildHistoryEventResolver {
  @FieldResolver(() => JobEventActor)
  actor(@Root() event: EventRow): JobEventActorValue {
    return { type: event.actorType, uuid: event.actorId };
  }

  @FieldResolver(() => JsonText, { ...optional, description: 'Details of some kinds of event.' })
  data(@Root() event: EventRow) {
    return event.data ?? {};
  }

  @FieldResolver(() => Job, { ...optional, description: 'The job it happened to; null for what happened to the build.' })
  job(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    return event.subject === 'job' && event.jobId !== null ? context.load.job.load(event.jobId) : null;
  }
}

@ArgsType()
class BuildEventsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'The id or uuid of a job: only what happened to that one.' })
  job?: string | null;
}

@Resolver(() => Build)
export class BuildEventsResolver {
  @FieldResolver(() => BuildHistoryEventConnection, { ...optional, description: 'What happened to it and its jobs, in order.' })
  async events(@Root() build: BuildRow, @Ctx() context: GraphqlContext, @Args(() => BuildEventsArguments) given: BuildEventsArguments) {
    return connectionValue(await context.among(listEventsOfBuilds, 'buildIds', build.id, { job: given.job, paging: stretchOf(given) }));
  }
}
