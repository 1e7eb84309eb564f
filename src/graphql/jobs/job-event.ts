import { createUnionType, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { EventRow } from '../../entities/database.js';
import { Agent } from '../agents/agent.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { JobEventActorType, JobEventType } from '../enums.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { JobEvent } from './job-event-interface.js';
import { jobEventWord } from './job-event-types.js';
import { JobTypeCommand } from './job-type-command.js';

export const JobEventActorNodeUnion = createUnionType({
  name: 'JobEventActorNodeUnion',
  description: 'An agent or a person that made something happen.',
  types: () => [Agent, User] as const,
  resolveType: (actor: object) => ('connectionState' in actor ? 'Agent' : 'User'),
});

@ObjectType({ description: 'Who made something happen.' })
export class JobEventActor {
  @Field(() => JobEventActorType)
  type!: string;

  @Field(() => ID, optional)
  uuid!: string | null;
}

/** What resolvers of an actor get. */
export interface JobEventActorValue {
  type: EventRow['actorType'];
  uuid: string | null;
}

@Resolver(() => JobEventActor)
export class JobEventActorResolver {
  @FieldResolver(() => JobEventActorNodeUnion, optional)
  node(@Root() actor: JobEventActorValue, @Ctx() context: GraphqlContext) {
    if (actor.uuid === null) return null;
    return actor.type === 'user' ? context.load.user.load(actor.uuid) : actor.type === 'agent' ? context.load.agent.load(actor.uuid) : null;
  }
}

export const { Connection: JobEventConnection } = connectionOf('JobEvent', () => JobEvent as never, { nodeNullable: false });

/** Members of all events. */
@Resolver(() => JobEvent)
export class JobEventResolver {
  @FieldResolver(() => JobEventActor)
  actor(@Root() event: EventRow): JobEventActorValue {
    return { type: event.actorType, uuid: event.actorId };
  }

  @FieldResolver(() => JobTypeCommand)
  job(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    return event.jobId === null ? null : context.load.job.load(event.jobId);
  }

  @FieldResolver(() => JobEventType)
  type(@Root() event: EventRow): string {
    return jobEventWord(event);
  }
}
