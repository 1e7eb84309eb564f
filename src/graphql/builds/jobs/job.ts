import type { GraphQLResolveInfo } from 'graphql';
import { Arg, createUnionType, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../../entities/database.js';
import { getJob } from '../../../operations/builds/jobs/get.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Reads } from '../../execution/reads.js';
import { uuidOf } from '../../nodes/ids.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { JobInterface, jobTypeName } from './job-interface.js';
import { JobTypeBlock } from './job-type-block.js';
import { JobTypeCommand } from './job-type-command.js';
import { JobTypeTrigger } from './job-type-trigger.js';
import { JobTypeWait } from './job-type-wait.js';

export const Job = createUnionType({
  name: 'Job',
  description: 'Job of any type.',
  types: () => [JobTypeBlock, JobTypeCommand, JobTypeTrigger, JobTypeWait] as const,
  resolveType: (job: object) => jobTypeName(job as JobRow),
});

export const { Connection: JobConnection } = connectionOf('Job', () => Job);

/** Fields of every job that lead to other types. */
@Resolver(() => JobInterface)
export class JobInterfaceResolver {
  @Reads<JobRow>('retriedById')
  @FieldResolver(() => User, {
    ...optional,
    description: 'User who retried the job; null when a rule did or the job was not retried.',
  })
  retriedBy(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, job.retriedById);
  }

  @Reads<JobRow>('retrySourceId')
  @FieldResolver(() => Job, { ...optional, description: 'Job that the job replaces; null for a first attempt.' })
  retrySource(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.references.job, job.retrySourceId);
  }
}

@Resolver()
export class JobResolver {
  @Query(() => Job, { ...optional, description: 'Returns a job by its UUID; null when the job is absent or hidden.' })
  async job(
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID or GraphQL ID of the job.' }) uuid: string,
    @Info() info: GraphQLResolveInfo,
  ): Promise<JobRow | null> {
    const output = await context.reach(getJob, { job: { id: uuidOf(uuid, ['Job']) } }, info);
    return output?.job ?? null;
  }
}
