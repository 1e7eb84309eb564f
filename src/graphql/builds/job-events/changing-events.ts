import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { EventRow } from '../../../entities/database.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { JSInt } from '../../scalars/numbers.js';
import { optional } from '../../server/options.js';
import { BuildStepUpload } from '../step-uploads/step-upload.js';
import { uploadOf } from './job-event-types.js';
import { JobEvent } from './job-event-interface.js';

@ObjectType({ implements: [JobEvent, Node], description: 'Event of a job whose priority was changed.' })
export class JobEventReprioritized {}

@Resolver(() => JobEventReprioritized)
export class JobEventReprioritizedResolver {
  @FieldResolver(() => Int, { ...optional, description: 'Priority before the change.' })
  changedPriorityBeforeValue(@Root() event: EventRow): number | null {
    return priorityIn(event, 'from');
  }

  @FieldResolver(() => Int, { ...optional, description: 'Priority after the change.' })
  changedPriorityAfterValue(@Root() event: EventRow): number | null {
    return priorityIn(event, 'to');
  }
}

function priorityIn({ data }: EventRow, name: 'from' | 'to'): number | null {
  const value = data?.[name];
  return typeof value === 'number' ? value : null;
}

@ObjectType({ implements: [JobEvent, Node], description: 'Event of a job that uploaded steps to its build.' })
export class JobEventBuildStepUploadCreated {}

@Resolver(() => JobEventBuildStepUploadCreated)
export class JobEventBuildStepUploadCreatedResolver {
  @FieldResolver(() => BuildStepUpload, { description: 'The upload.' })
  buildStepUpload(@Root() event: EventRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.stepUpload, uploadOf(event));
  }
}

@ObjectType({ implements: [JobEvent, Node], description: 'Event of a failed job that a rule would have retried.' })
export class JobEventRetryFailed {}

@Resolver(() => JobEventRetryFailed)
export class JobEventRetryFailedResolver {
  @FieldResolver(() => String, { description: 'Reason why the job was not retried.' })
  retryFailedReason(@Root() { reason }: EventRow): string {
    return reason ?? '';
  }
}

@ObjectType({
  implements: [JobEvent, Node],
  description: 'Event of a running job that announced the exit status with which it will fail.',
})
export class JobEventPromisedExitStatus {
  @Field(() => String, {
    ...optional,
    name: 'promisedExitStatusReason',
    description: 'Reason for the announcement, as the job gave it.',
  })
  reason!: string | null;
}

@Resolver(() => JobEventPromisedExitStatus)
export class JobEventPromisedExitStatusResolver {
  @FieldResolver(() => JSInt, { description: 'Exit status that the job announced.' })
  async promisedExitStatus(@Root() event: EventRow, @Ctx() context: GraphqlContext): Promise<number> {
    const job = await context.loadReference(null, context.references.job, event.jobId);
    return job?.promisedExitStatus ?? -1;
  }
}
