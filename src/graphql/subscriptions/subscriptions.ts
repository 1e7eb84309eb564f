import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { LogMessage } from '../../event-stream/subscribe-to-log.js';
import { optional } from '../server/options.js';
import {
  subscribeToAgents,
  subscribeToAnnotations,
  subscribeToBuild,
  subscribeToJob,
  subscribeToJobLog,
  subscribeToPipeline,
  subscribeToPipelines,
  type StreamArguments,
  type UpdateValue,
} from './streams.js';
import { AgentUpdate, AnnotationUpdate, BuildUpdate, JobLogUpdate, JobUpdate, PipelineUpdate } from './updates.js';

const afterText =
  'Cursor of the last message received, from any replica: the stream continues after it without gap or repetition.';

/** The argument that every subscription takes. */
const After = () => Arg('after', () => String, { ...optional, description: afterText });

interface Asked {
  args: StreamArguments;
  context: unknown;
}

/** Root fields of subscriptions. Their messages are read with the same operations as queries. */
@Resolver()
export class Subscriptions {
  @Subscription(() => BuildUpdate, {
    description: 'Changes of a build and its jobs, as they happen.',
    subscribe: ({ args, context }: Asked) => subscribeToBuild(context, args),
  })
  build(
    @Root() update: UpdateValue,
    @Arg('id', () => ID, { description: 'The node id or uuid of the build.' }) _id: string,
    @After() _after?: string | null,
  ): UpdateValue {
    return update;
  }

  @Subscription(() => JobUpdate, {
    description: 'Changes of a job, as they happen.',
    subscribe: ({ args, context }: Asked) => subscribeToJob(context, args),
  })
  job(
    @Root() update: UpdateValue,
    @Arg('id', () => ID, { description: 'The node id or uuid of the job.' }) _id: string,
    @After() _after?: string | null,
  ): UpdateValue {
    return update;
  }

  @Subscription(() => JobLogUpdate, {
    description: 'Log of a command job until the job has finished, from its start or after the cursor.',
    subscribe: ({ args, context }: Asked) => subscribeToJobLog(context, args),
  })
  jobLog(
    @Root() update: LogMessage,
    @Arg('id', () => ID, { description: 'The node id or uuid of the job.' }) _id: string,
    @After() _after?: string | null,
  ): LogMessage {
    return update;
  }

  @Subscription(() => AgentUpdate, {
    description: 'Changes of the agents of an organization, as they happen.',
    subscribe: ({ args, context }: Asked) => subscribeToAgents(context, args),
  })
  agents(
    @Root() update: UpdateValue,
    @Arg('id', () => ID, { description: 'The slug, node id or uuid of the organization.' }) _id: string,
    @After() _after?: string | null,
  ): UpdateValue {
    return update;
  }

  @Subscription(() => AnnotationUpdate, {
    description: 'Changes of the annotations of a build, as they happen.',
    subscribe: ({ args, context }: Asked) => subscribeToAnnotations(context, args),
  })
  annotations(
    @Root() update: UpdateValue,
    @Arg('id', () => ID, { description: 'The node id or uuid of the build.' }) _id: string,
    @After() _after?: string | null,
  ): UpdateValue {
    return update;
  }

  @Subscription(() => PipelineUpdate, {
    description: 'Changes of a pipeline and its builds, as they happen.',
    subscribe: ({ args, context }: Asked) => subscribeToPipeline(context, args),
  })
  pipeline(
    @Root() update: UpdateValue,
    @Arg('id', () => ID, { description: 'The node id or uuid of the pipeline.' }) _id: string,
    @After() _after?: string | null,
  ): UpdateValue {
    return update;
  }

  @Subscription(() => PipelineUpdate, {
    description: 'Changes of the pipelines of an organization and their builds, as they happen.',
    subscribe: ({ args, context }: Asked) => subscribeToPipelines(context, args),
  })
  pipelines(
    @Root() update: UpdateValue,
    @Arg('id', () => ID, { description: 'The slug, node id or uuid of the organization.' }) _id: string,
    @After() _after?: string | null,
  ): UpdateValue {
    return update;
  }
}
