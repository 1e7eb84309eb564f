import { createUnionType, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { EventRow } from '../../../entities/database.js';
import { Agent } from '../../agents/agent.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { JobEventActorType, JobEventType } from '../../enums.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { JobEvent } from './job-event-interface.js';
import { jobEventWord } from './job-event-types.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';

export const JobEventActorNodeUnion = createUnionType({
  name: 'JobEventActorNodeUnion',
  description: 'Agent or user that caused an event.',
  types: () => [Agent, User] as const,
  resolveType: (actor: object) => ('connectionState' in actor ? 'Agent' : 'User'),
});

@ObjectType({ description: 'Actor that caused an event.' })
export class JobEventActor {
  @Field(() => JobEventActorType, { description: 'Type of the actor.' })
  type!: string;

  @Field(() => ID, { ...optional, description: 'UUID of the agent, stack or user; null for the system.' })
  uuid!: string | null;
}

/** Value behind `JobEventActor`. */
export interface JobEventActorValue {
  type: EventRow['actorType'];
  uuid: string | null;
}

@Resolver(() => JobEventActor)
export class JobEventActorResolver {
  @FieldResolver(() => JobEventActorNodeUnion, { ...optional, description: 'Agent or user; null for other actors.' })
  node(@Root() actor: JobEventActorValue, @Ctx() context: GraphqlContext) {
    if (actor.uuid === null) return null;
    if (actor.type === 'user') return context.load.user.load(actor.uuid);
    return actor.type === 'agent' ? context.load.agent.load(actor.uuid) : null;
  }
}

export const { Connection: JobEventConnection } = connectionOf('JobEvent', () => JobEvent, {
  nodeNullable: false,
});

/** Fields of every event of a job. */
@Resolver(() => JobEvent)
export class JobEventResolver {
  @FieldResolver(() => ID, { name: 'id', description: 'GraphQL ID of the event.' })
  nodeId(@Root() event: EventRow): string {
    return encodeNodeId('JobEvent', event.id);
  }

  @FieldResolver(() => JobEventActor, { description: 'Actor that caused the event.' })
  actor(@Root() event: EventRow): JobEventActorValue {
    return { type: event.actorType, uuid: event.actorId };
  }

  @FieldResolver(() => JobTypeCommand, { description: 'Job of the event.' })
  job(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    return event.jobId === null ? null : context.references.job.load(event.jobId);
  }

  @FieldResolver(() => JobEventType, { description: 'Type of the event.' })
  type(@Root() event: EventRow): string {
    return jobEventWord(event);
  }
}
