import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { CommandStep } from '../../domain/steps/step.js';
import type { JobRow } from '../../entities/database.js';
import { listEventsOfJobs } from '../../operations/events/list-of-jobs.js';
import { readJobEnv } from '../../operations/jobs/env.js';
import { Agent } from '../agents/agent.js';
import { Build, jobUrl } from '../builds/build.js';
import { envList } from '../builds/env.js';
import { Cluster } from '../clusters/cluster.js';
import { ClusterQueue } from '../clusters/cluster-queue.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { JobEventConnection } from './job-event.js';
import { JobRetryRules } from './job-parts.js';
import { JobTypeCommand } from './job-type-command.js';
import { StepCommand } from './step.js';

/** What a command job has to do with other things. */
@Resolver(() => JobTypeCommand)
export class JobTypeCommandRelationsResolver {
  @FieldResolver(() => Agent, optional)
  agent(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.agent, job.agentId);
  }

  @FieldResolver(() => Build, optional)
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.build.load(job.buildId);
  }

  @FieldResolver(() => Cluster, optional)
  cluster(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_clusters', context.load.cluster, job.clusterId);
  }

  @FieldResolver(() => ClusterQueue, optional)
  clusterQueue(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_clusters', context.load.clusterQueue, job.clusterQueueId);
  }

  @FieldResolver(() => [String], { ...optional, description: 'Its environment, as `KEY=value`.' })
  async env(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<string[]> {
    return envList((await context.perform(readJobEnv, { job: { id: job.id } })).env);
  }

  @FieldResolver(() => JobEventConnection, { description: 'What happened to it, in order.' })
  async events(@Root() job: JobRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.among(listEventsOfJobs, 'jobIds', job.id, { paging: stretchOf(given) }));
  }

  @FieldResolver(() => Pipeline, optional)
  pipeline(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.pipeline.load(job.pipelineId);
  }

  @FieldResolver(() => JobTypeCommand, { ...optional, description: 'The attempt that came after this one.' })
  retriedInJob(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.job, job.retriedInJobId);
  }

  @FieldResolver(() => JobRetryRules, optional)
  async retryRules(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<JobRetryRules | null> {
    const step = await context.load.step.load(job.stepId);
    if (step?.type !== 'command') return null;
    const { retryAutomatic, retryManual } = step.definition as unknown as CommandStep;
    return {
      automatic: retryAutomatic.map((rule) => ({
        exitStatus: rule.exitStatus === undefined ? null : Array.isArray(rule.exitStatus) ? rule.exitStatus.join(', ') : rule.exitStatus,
        limit: String(rule.limit),
        signal: rule.signal?.join(', ') ?? null,
        signalReason: rule.signalReason?.join(', ') ?? null,
      })),
      manual: retryManual.allowed,
    };
  }

  @FieldResolver(() => StepCommand, optional)
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }

  @FieldResolver(() => String, { description: 'The place of the job on the page of its build.' })
  url(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<string> {
    return jobUrl(context, job);
  }
}
