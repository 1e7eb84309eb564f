import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Json } from '../../domain/steps/step.js';
import type { EventRow, JobRow } from '../../entities/database.js';
import { Agent } from '../agents/agent.js';
import type { GraphqlContext } from '../context.js';
import { JobEventSignalReason } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { JsonText } from '../scalars/json.js';
import { JSInt } from '../scalars/numbers.js';
import { JobEvent } from './job-event-interface.js';
import { JobRetryRuleAutomatic } from './job-parts.js';
import { JobTypeCommand, signalReasonOf } from './job-type-command.js';

@ObjectType({ implements: [JobEvent, Node], description: 'Something happened that has no further details.' })
export class JobEventGeneric {}

@ObjectType({ implements: [JobEvent, Node], description: 'The job was offered to an agent.' })
export class JobEventAssigned {}

@Resolver(() => JobEventAssigned)
export class JobEventAssignedResolver {
  @FieldResolver(() => Agent, optional)
  assignedAgent(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.agent, event.agentId);
  }
}

@ObjectType({ implements: [JobEvent, Node], description: 'Something about the job was changed.' })
export class JobEventChanged {}

@Resolver(() => JobEventChanged)
export class JobEventChangedResolver {
  @FieldResolver(() => JsonText, { ...optional, description: 'What it was and what it became, by name.' })
  changedChanges(@Root() event: EventRow): Json {
    return { state: [event.fromState, event.toState] };
  }
}

@ObjectType({ implements: [JobEvent, Node], description: 'Another job took the place of this one.' })
export class JobEventRetried {
  @Field(() => JobRetryRuleAutomatic, { ...optional, description: 'The rule that did it; null where a person did, or where it is not known.' })
  automaticRule!: JobRetryRuleAutomatic | null;
}

@Resolver(() => JobEventRetried)
export class JobEventRetriedResolver {
  @FieldResolver(() => JobTypeCommand, optional)
  async retriedInJob(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    const job = await context.follow(null, context.load.job, event.jobId);
    return context.follow(null, context.load.job, job?.retriedInJobId ?? null);
  }
}

/** An event that ends a job. A process that reported no status has -1, as on the wire. */
function endingEvent(name: string, description: string) {
  @ObjectType(name, { implements: [JobEvent, Node], description })
  class EndingEvent {}

  @Resolver(() => EndingEvent)
  class EndingEventResolver {
    @FieldResolver(() => JSInt)
    async exitStatus(@Root() event: EventRow, @Ctx() context: GraphqlContext): Promise<number> {
      return (await jobOf(event, context))?.exitStatus ?? -1;
    }

    @FieldResolver(() => String, optional)
    async signal(@Root() event: EventRow, @Ctx() context: GraphqlContext): Promise<string | null> {
      return (await jobOf(event, context))?.signal ?? null;
    }

    @FieldResolver(() => JobEventSignalReason, optional)
    async signalReason(@Root() event: EventRow, @Ctx() context: GraphqlContext): Promise<string | null> {
      return signalReasonOf((await jobOf(event, context))?.signalReason ?? null);
    }
  }
  return { type: EndingEvent, resolver: EndingEventResolver };
}

const jobOf = (event: EventRow, context: GraphqlContext): Promise<JobRow | null> => context.follow(null, context.load.job, event.jobId);

export const endings = [
  endingEvent('JobEventFinished', 'The process of the job ended.'),
  endingEvent('JobEventCanceled', 'The job was canceled.'),
  endingEvent('JobEventTimedOut', 'The job took too long.'),
];
