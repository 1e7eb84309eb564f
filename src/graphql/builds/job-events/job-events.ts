import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Json } from '../../../domain/pipelines/steps/step.js';
import type { EventRow, JobRow } from '../../../entities/database.js';
import { Agent } from '../../agents/agent.js';
import type { GraphqlContext } from '../../context.js';
import { JobEventSignalReason } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { JsonText } from '../../scalars/json.js';
import { JSInt } from '../../scalars/numbers.js';
import { JobEvent } from './job-event-interface.js';
import { JobRetryRuleAutomatic } from '../jobs/job-parts.js';
import { JobTypeCommand, signalReasonOf } from '../jobs/job-type-command.js';

@ObjectType({ implements: [JobEvent, Node], description: 'Event of a job without further details.' })
export class JobEventGeneric {}

@ObjectType({ implements: [JobEvent, Node], description: 'Event of a job that was offered to an agent.' })
export class JobEventAssigned {}

@Resolver(() => JobEventAssigned)
export class JobEventAssignedResolver {
  @FieldResolver(() => Agent, { ...optional, description: 'Agent that was offered the job.' })
  assignedAgent(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.agent, event.agentId);
  }
}

@ObjectType({ implements: [JobEvent, Node], description: 'Event of a job whose state changed.' })
export class JobEventChanged {}

@Resolver(() => JobEventChanged)
export class JobEventChangedResolver {
  @FieldResolver(() => JsonText, { ...optional, description: 'Old and new value of each changed field, by name.' })
  changedChanges(@Root() event: EventRow): Json {
    return { state: [event.fromState, event.toState] };
  }
}

@ObjectType({ implements: [JobEvent, Node], description: 'Event of a job that a new job replaced.' })
export class JobEventRetried {
  @Field(() => JobRetryRuleAutomatic, {
    ...optional,
    description: 'Rule that retried the job; null when a user did or the rule is unknown.',
  })
  automaticRule!: JobRetryRuleAutomatic | null;
}

@Resolver(() => JobEventRetried)
export class JobEventRetriedResolver {
  @FieldResolver(() => JobTypeCommand, { ...optional, description: 'New job that replaces the job.' })
  async retriedInJob(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    const job = await context.loadReference(null, context.references.job, event.jobId);
    return context.loadReference(null, context.references.job, job?.retriedInJobId ?? null);
  }
}

/** Declares the type of an event of a stack, with the stack's words, which the event has as its reason. */
function stackEvent(name: string, words: string, description: string, fieldDescription: string) {
  @ObjectType(name, { implements: [JobEvent, Node], description })
  class StackEvent {
    @Field(() => String, { ...optional, name: words, description: fieldDescription })
    reason!: string | null;
  }
  return StackEvent;
}

export const stackEvents = [
  stackEvent(
    'JobEventStackError',
    'errorDetail',
    'Event of a job that its stack could not run.',
    'Reason why the stack could not run the job.',
  ),
  stackEvent(
    'JobEventStackFinished',
    'detail',
    'Event of a job that its stack finished without an agent.',
    'Words of the stack at the end of the job.',
  ),
  stackEvent(
    'JobEventStackNotification',
    'message',
    'Event of a job about which its stack said something.',
    'Words of the stack.',
  ),
];

/** Declares the type and resolver of an event that ends a job. Its exit status is -1 when the process reported none. */
function endingEvent(name: string, description: string) {
  @ObjectType(name, { implements: [JobEvent, Node], description })
  class EndingEvent {}

  @Resolver(() => EndingEvent)
  class EndingEventResolver {
    @FieldResolver(() => JSInt, { description: 'Exit status of the process; -1 when the process reported none.' })
    async exitStatus(@Root() event: EventRow, @Ctx() context: GraphqlContext): Promise<number> {
      return (await jobOf(event, context))?.exitStatus ?? -1;
    }

    @FieldResolver(() => String, { ...optional, description: 'Signal that ended the process; null without one.' })
    async signal(@Root() event: EventRow, @Ctx() context: GraphqlContext): Promise<string | null> {
      return (await jobOf(event, context))?.signal ?? null;
    }

    @FieldResolver(() => JobEventSignalReason, { ...optional, description: 'Reason for the signal; null without one.' })
    async signalReason(@Root() event: EventRow, @Ctx() context: GraphqlContext): Promise<string | null> {
      return signalReasonOf((await jobOf(event, context))?.signalReason ?? null);
    }
  }
  return { type: EndingEvent, resolver: EndingEventResolver };
}

const jobOf = (event: EventRow, context: GraphqlContext): Promise<JobRow | null> =>
  context.loadReference(null, context.references.job, event.jobId);

export const endings = [
  endingEvent('JobEventFinished', 'Event of a job whose process ended.'),
  endingEvent('JobEventCanceled', 'Event of a job that was canceled.'),
  endingEvent('JobEventTimedOut', 'Event of a job that exceeded its timeout.'),
];
