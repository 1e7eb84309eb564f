import { Arg, createUnionType, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../entities/database.js';
import { getJob } from '../../operations/jobs/get.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { JobInterface, jobTypeName } from './job-interface.js';
import { JobTypeBlock } from './job-type-block.js';
import { JobTypeCommand } from './job-type-command.js';
import { JobTypeTrigger } from './job-type-trigger.js';
import { JobTypeWait } from './job-type-wait.js';

export const Job = createUnionType({
  name: 'Job',
  description: 'A job of any kind.',
  types: () => [JobTypeBlock, JobTypeCommand, JobTypeTrigger, JobTypeWait] as const,
  resolveType: (job: object) => jobTypeName(job as JobRow),
});

export const { Connection: JobConnection } = connectionOf('Job', () => Job as never);

/** Members of all jobs that refer to other things. */
@Resolver(() => JobInterface)
export class JobInterfaceResolver {
  @FieldResolver(() => User, { ...optional, description: 'Who retried it.' })
  retriedBy(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, job.retriedById);
  }

  @FieldResolver(() => Job, { ...optional, description: 'The attempt before this one.' })
  retrySource(@Root() job: JobRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.job, job.retrySourceId);
  }
}

@Resolver()
export class JobResolver {
  @Query(() => Job, { ...optional, description: 'A job by its uuid.' })
  async job(@Ctx() context: GraphqlContext, @Arg('uuid', () => ID) uuid: string): Promise<JobRow | null> {
    const found = await context.find(getJob, { job: { id: uuidOf(uuid, ['Job']) } });
    return found?.job ?? null;
  }
}
