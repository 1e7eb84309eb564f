import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { CommandStep } from '../../../domain/pipelines/steps/step.js';
import type { JobRow } from '../../../entities/database.js';
import { listEventsOfJobs } from '../../../operations/builds/events/list-of-jobs.js';
import { readEnvOfJobs } from '../../../operations/builds/jobs/read-env-of-jobs.js';
import { Agent } from '../../agents/agent.js';
import { Build, jobUrl } from '../build.js';
import { envList } from '../env.js';
import { Cluster } from '../../agents/clusters/cluster.js';
import { ClusterQueue } from '../../agents/queues/cluster-queue.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Reads } from '../../execution/reads.js';
import { Dear, dear } from '../../limits/dear.js';
import { optional } from '../../server/options.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { JobEventConnection } from '../job-events/job-event.js';
import { JobRetryRules } from './job-parts.js';
import { JobTypeCommand } from './job-type-command.js';
import { StepCommand } from './step.js';
import { ReadBy } from '../../execution/on-the-way.js';

/** Fields of a command job that lead to other types. */
@Resolver(() => JobTypeCommand)
export class JobTypeCommandRelationsResolver {
  @Reads<JobRow>('agentId')
  @FieldResolver(() => Agent, { ...optional, description: 'Agent that the job is or was assigned to; null before.' })
  agent(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.agent, job.agentId);
  }

  @Reads<JobRow>('buildId')
  @FieldResolver(() => Build, { ...optional, description: 'Build of the job.' })
  build(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, job.buildId);
  }

  @Reads<JobRow>('clusterId')
  @FieldResolver(() => Cluster, { ...optional, description: 'Cluster of the job; null without one.' })
  cluster(@Root() job: JobRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_clusters', context.load.cluster, job.clusterId, info);
  }

  @Reads<JobRow>('clusterQueueId')
  @FieldResolver(() => ClusterQueue, { ...optional, description: 'Queue of the job; null without a cluster.' })
  clusterQueue(@Root() job: JobRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_clusters', context.load.clusterQueue, job.clusterQueueId, info);
  }

  @ReadBy(readEnvOfJobs)
  @Dear(dear.environment)
  @FieldResolver(() => [String], {
    ...optional,
    description: 'Environment of the job, as `KEY=value`; null when the environment is hidden.',
  })
  async env(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<string[] | null> {
    context.know(job);
    const env = await context.performInBatch(readEnvOfJobs, { jobIds: job.id });
    return env ? context.inTurn(() => envList(env())) : null;
  }

  @FieldResolver(() => JobEventConnection, { description: 'Events of the job, oldest first.' })
  async events(@Root() job: JobRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) args: PageArguments) {
    return connectionValue(
      await context.performInBatch(listEventsOfJobs, { jobIds: job.id }, { paging: stretchOf(args) }),
    );
  }

  @Reads<JobRow>('pipelineId')
  @FieldResolver(() => Pipeline, { ...optional, description: 'Pipeline of the job.' })
  pipeline(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.pipeline, job.pipelineId);
  }

  @Reads<JobRow>('retriedInJobId')
  @FieldResolver(() => JobTypeCommand, {
    ...optional,
    description: 'New job that replaces the job; null when the job was not retried.',
  })
  retriedInJob(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.references.job, job.retriedInJobId);
  }

  @Reads<JobRow>('stepId')
  @FieldResolver(() => JobRetryRules, { ...optional, description: 'Retries that the step of the job allows.' })
  async retryRules(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<JobRetryRules | null> {
    const step = await context.load.step.load(job.stepId);
    if (step?.type !== 'command') return null;
    // The definition is stored as JSON; that of a command step is a CommandStep.
    const { retryAutomatic, retryManual } = step.definition as unknown as CommandStep;
    return {
      automatic: retryAutomatic.map((rule) => ({
        exitStatus: exitStatusText(rule.exitStatus),
        limit: String(rule.limit),
        signal: rule.signal?.join(', ') ?? null,
        signalReason: rule.signalReason?.join(', ') ?? null,
      })),
      manual: retryManual.allowed,
    };
  }

  @Reads<JobRow>('stepId')
  @FieldResolver(() => StepCommand, { ...optional, description: 'Step of the job.' })
  step(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.load.step.load(job.stepId);
  }

  @Reads<JobRow>('id', 'buildId')
  @FieldResolver(() => String, { description: "URL of the job on the build's page in the console." })
  url(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<string> {
    return jobUrl(context, job);
  }
}

/** Exit statuses of a rule as text: `*`, one number, or several separated by commas; null for a rule without any. */
function exitStatusText(exitStatus: CommandStep['retryAutomatic'][number]['exitStatus']): string | null {
  if (exitStatus === undefined) return null;
  return Array.isArray(exitStatus) ? exitStatus.join(', ') : exitStatus;
}
