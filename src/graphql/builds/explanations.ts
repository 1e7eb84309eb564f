import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { BuildExplanation as ExplainedBuild } from '../../domain/builds/explanations/build-explanation.js';
import type { JobExplanation as ExplainedJob } from '../../domain/builds/explanations/job-explanation.js';
import type { ShownBuildRow, JobRow } from '../../entities/database.js';
import { explainManyBuilds } from '../../operations/builds/explain-many.js';
import { explainManyJobs } from '../../operations/builds/jobs/explain-many.js';
import type { GraphqlContext } from '../context.js';
import { BuildExplanationReasons, JobExplanationReasons } from '../enums.js';
import { Dear, dear } from '../limits/dear.js';
import { User } from '../organizations/user.js';
import { optional } from '../server/options.js';
import { Build } from './build.js';
import { Job } from './jobs/job.js';
import { JobInterface } from './jobs/job-interface.js';

@ObjectType({ description: 'Reason why a job waits, will not run or was stopped.' })
export class JobExplanation {
  @Field(() => JobExplanationReasons, { description: 'Kind of the reason.' })
  reason!: string;

  @Field(() => String, { description: 'Reason in a sentence.' })
  message!: string;
}

type JobExplanationRoot = ExplainedJob & { job: JobRow };

@Resolver(() => JobExplanation)
export class JobExplanationResolver {
  @FieldResolver(() => [Job], {
    description: 'Jobs that the job waits for or was stopped by; hidden ones are left out.',
  })
  jobs(@Root() { jobIds }: JobExplanationRoot, @Ctx() context: GraphqlContext): Promise<JobRow[]> {
    return visibleJobs(context, jobIds);
  }

  @FieldResolver(() => Build, {
    ...optional,
    description:
      'Build that a trigger job waits for, or that did not pass; null for any other job and when it is hidden.',
  })
  triggered(@Root() { reason, job }: JobExplanationRoot, @Ctx() context: GraphqlContext) {
    return reason === 'triggered_build' || reason === 'trigger_failed'
      ? context.loadReference('read_builds', context.references.build, job.triggeredBuildId)
      : null;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who canceled the job; null when nobody did.' })
  canceledBy(@Root() { job }: JobExplanationRoot, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, job.canceledById);
  }
}

@ObjectType({ description: 'Reason why a build was skipped or canceled, waits for a person or ran nothing.' })
export class BuildExplanation {
  @Field(() => BuildExplanationReasons, { description: 'Kind of the reason.' })
  reason!: string;

  @Field(() => String, { description: 'Reason in a sentence.' })
  message!: string;
}

@Resolver(() => BuildExplanation)
export class BuildExplanationResolver {
  @FieldResolver(() => Build, {
    ...optional,
    description: 'Newer build of the branch that took the place of the build; null without one.',
  })
  supersededBy(@Root() { supersededById }: ExplainedBuild, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.build, supersededById);
  }

  @FieldResolver(() => [Job], { description: 'Jobs that somebody has to unblock.' })
  jobs(@Root() { jobIds }: ExplainedBuild, @Ctx() context: GraphqlContext): Promise<JobRow[]> {
    return visibleJobs(context, jobIds);
  }
}

@Resolver(() => JobInterface)
export class ExplainedJobResolver {
  @Dear(dear.explanation)
  @FieldResolver(() => JobExplanation, {
    ...optional,
    description:
      'Reason why the job waits, will not run or was stopped; null for one that runs or that an agent ran to its end.',
  })
  async explanation(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<JobExplanationRoot | null> {
    context.know(job);
    const explanation = await context.performInBatch(explainManyJobs, { jobIds: job.id });
    return explanation ? { ...explanation, job } : null;
  }
}

@Resolver(() => Build)
export class ExplainedBuildResolver {
  @Dear(dear.explanation)
  @FieldResolver(() => BuildExplanation, {
    ...optional,
    description: 'Reason why the build was skipped or canceled, waits for a person or ran nothing; null for any other.',
  })
  async explanation(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext): Promise<ExplainedBuild | null> {
    return (await context.performInBatch(explainManyBuilds, { buildIds: build.id })) ?? null;
  }
}

async function visibleJobs(context: GraphqlContext, ids: readonly string[]): Promise<JobRow[]> {
  const jobs = await Promise.all(ids.map((id) => context.loadReference('read_builds', context.references.job, id)));
  return jobs.filter((job) => job !== null);
}

/** The resolvers of explanations. */
export const explanationResolvers = [
  BuildExplanationResolver,
  ExplainedBuildResolver,
  ExplainedJobResolver,
  JobExplanationResolver,
] as const;
