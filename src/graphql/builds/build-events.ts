import { Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { ShownBuildRow, EventRow } from '../../entities/database.js';
import { listEvents } from '../../operations/builds/events/list.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { JobEventActor, type JobEventActorValue } from './job-events/job-event.js';
import { Job } from './jobs/job.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';
import { Build } from './build.js';

@ObjectType({ description: 'Event of a build or of one of its jobs.' })
export class BuildHistoryEvent {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the event.' })
  id!: string;

  @Field(() => Int, { description: 'Position of the event in the history of the build, from 1.' })
  sequence!: number;

  @Field(() => String, { description: 'Type of the event, such as `job.start`.' })
  type!: string;

  @Field(() => String, {
    ...optional,
    name: 'from',
    description: 'State before the event; null when the event has none.',
  })
  fromState!: string | null;

  @Field(() => String, { ...optional, name: 'to', description: 'State after the event; null when the event has none.' })
  toState!: string | null;

  @Field(() => String, { ...optional, description: 'Reason for the event; null when none is recorded.' })
  reason!: string | null;

  @Field(() => ID, {
    ...optional,
    name: 'agentUuid',
    description: 'UUID of the agent that the event concerns; null without one.',
  })
  agentId!: string | null;

  @Field(() => DateTime, { name: 'timestamp', description: 'Time of the event.' })
  createdAt!: Date;
}

export const { Connection: BuildHistoryEventConnection } = connectionOf('BuildHistoryEvent', () => BuildHistoryEvent);

@Resolver(() => BuildHistoryEvent)
export class BuildHistoryEventResolver {
  @FieldResolver(() => JobEventActor, { description: 'Actor that caused the event.' })
  actor(@Root() event: EventRow): JobEventActorValue {
    return { type: event.actorType, uuid: event.actorId };
  }

  @FieldResolver(() => JsonText, { ...optional, description: 'Details of the event; their fields depend on the type.' })
  data(@Root() event: EventRow) {
    return event.data ?? {};
  }

  @FieldResolver(() => Job, {
    ...optional,
    description: 'Job of the event; null for an event of the build.',
  })
  job(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    return event.subject === 'job' && event.jobId !== null ? context.references.job.load(event.jobId) : null;
  }
}

@ArgsType()
class BuildEventsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of a job; only events of this job.' })
  job?: string | null;
}

@Resolver(() => Build)
export class BuildEventsResolver {
  @FieldResolver(() => BuildHistoryEventConnection, {
    ...optional,
    description: 'Events of the build and its jobs, oldest first.',
  })
  async events(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => BuildEventsArguments) args: BuildEventsArguments,
  ) {
    return connectionValue(
      await context.findInBatch(listEvents, { build: { id: build.id } }, { job: args.job, paging: stretchOf(args) }),
    );
  }
}
