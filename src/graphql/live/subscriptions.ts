import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { LogMessage } from '../../operations/live/follow-log.js';
import { optional } from '../options.js';
import { followAgents, followAnnotations, followBuild, followJob, followJobLog, followPipeline, followPipelines, type StreamArguments, type UpdateValue } from './streams.js';
import { AgentUpdate, AnnotationUpdate, BuildUpdate, JobLogUpdate, JobUpdate, PipelineUpdate } from './updates.js';

const afterText = 'The cursor of the last message seen, from whichever server: nothing is missed after it and nothing is told twice.';

/** The argument that every subscription takes. */
const After = () => Arg('after', () => String, { ...optional, description: afterText });

interface Asked {
  args: StreamArguments;
  context: unknown;
}

/** Where each subscription begins. What they tell is read with the same operations as queries, again and again while they last. */
@Resolver()
export class Subscriptions {
  @Subscription(() => BuildUpdate, { description: 'What happens to a build and its jobs.', subscribe: ({ args, context }: Asked) => followBuild(context, args) })
  build(@Root() update: UpdateValue, @Arg('id', () => ID, { description: 'The node id or uuid of the build.' }) _id: string, @After() _after?: string | null): UpdateValue {
    return update;
  }

  @Subscription(() => JobUpdate, { description: 'What happens to a job.', subscribe: ({ args, context }: Asked) => followJob(context, args) })
  job(@Root() update: UpdateValue, @Arg('id', () => ID, { description: 'The node id or uuid of the job.' }) _id: string, @After() _after?: string | null): UpdateValue {
    return update;
  }

  @Subscription(() => JobLogUpdate, { description: 'The log of a command job, from its start or behind what was seen, until the job has finished.', subscribe: ({ args, context }: Asked) => followJobLog(context, args) })
  jobLog(@Root() update: LogMessage, @Arg('id', () => ID, { description: 'The node id or uuid of the job.' }) _id: string, @After() _after?: string | null): LogMessage {
    return update;
  }

  @Subscription(() => AgentUpdate, { description: 'What happens to the agents of an organization.', subscribe: ({ args, context }: Asked) => followAgents(context, args) })
  agents(@Root() update: UpdateValue, @Arg('id', () => ID, { description: 'The slug, node id or uuid of the organization.' }) _id: string, @After() _after?: string | null): UpdateValue {
    return update;
  }

  @Subscription(() => AnnotationUpdate, { description: 'What happens to the annotations of a build.', subscribe: ({ args, context }: Asked) => followAnnotations(context, args) })
  annotations(@Root() update: UpdateValue, @Arg('id', () => ID, { description: 'The node id or uuid of the build.' }) _id: string, @After() _after?: string | null): UpdateValue {
    return update;
  }

  @Subscription(() => PipelineUpdate, { description: 'What happens to a pipeline and its builds.', subscribe: ({ args, context }: Asked) => followPipeline(context, args) })
  pipeline(@Root() update: UpdateValue, @Arg('id', () => ID, { description: 'The node id or uuid of the pipeline.' }) _id: string, @After() _after?: string | null): UpdateValue {
    return update;
  }

  @Subscription(() => PipelineUpdate, { description: 'What happens to the pipelines of an organization and their builds.', subscribe: ({ args, context }: Asked) => followPipelines(context, args) })
  pipelines(@Root() update: UpdateValue, @Arg('id', () => ID, { description: 'The slug, node id or uuid of the organization.' }) _id: string, @After() _after?: string | null): UpdateValue {
    return update;
  }
}
