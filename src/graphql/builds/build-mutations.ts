import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { cancelBuild } from '../../operations/builds/cancel.js';
import { createBuild } from '../../operations/builds/create.js';
import { rebuildBuild } from '../../operations/builds/rebuild.js';
import { retryFailedJobs } from '../../operations/builds/retry-failed-jobs.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { BuildCancelInput, BuildCreateInput, BuildRebuildInput, BuildRetryFailedJobsInput } from './build-inputs.js';
import { Build } from './build.js';
import { envFromList } from './env.js';

@ObjectType({ description: 'Result of `buildCreate`.' })
class BuildCreatePayload extends MutationPayload {
  @Field(() => Build, { ...optional, description: 'Build that was created.' })
  build!: unknown;
}

@ObjectType({ description: 'Result of `buildCancel`.' })
class BuildCancelPayload extends MutationPayload {
  @Field(() => Build, { description: 'Build that was canceled.' })
  build!: unknown;
}

@ObjectType({ description: 'Result of `buildRebuild`.' })
class BuildRebuildPayload extends MutationPayload {
  @Field(() => Build, { description: 'Build that was rebuilt.' })
  build!: unknown;

  @Field(() => Build, { description: 'Build that was created.' })
  rebuild!: unknown;
}

@ObjectType({ description: 'Result of `buildRetryFailedJobs`.' })
class BuildRetryFailedJobsPayload extends MutationPayload {
  @Field(() => Build, { description: 'Build whose jobs were retried.' })
  build!: unknown;

  @Field(() => Int, { description: 'Number of jobs that were retried.' })
  retriedJobsCount!: number;
}

const addressOf = (id: string) => ({ build: { id: uuidOf(id, ['Build']) } });

/** Names of the operation's fields in the mutation's input, for error messages. */
const fieldNames = { pipeline: 'pipelineID' };

@Resolver()
export class BuildMutations {
  @Mutation(() => BuildCreatePayload, { ...optional, description: 'Creates a build of a pipeline.' })
  async buildCreate(
    @Arg('input', () => BuildCreateInput, { description: 'Pipeline and fields of the new build.' })
    input: BuildCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { clientMutationId: _echoed, pipelineID, branch, commit, env, metaData, pullRequestId, ...rest } = input;
    const newBuild = {
      ...rest,
      pipeline: { id: uuidOf(pipelineID, ['Pipeline']) },
      useDefaults: true,
      branch: branch ?? undefined,
      commit: commit ?? undefined,
      env: envFromList(env),
      metaData: metaData && Object.fromEntries(metaData.map(({ key, value }) => [key, value])),
      pullRequestId: pullRequestId || null,
    };
    return payload(input, { build: (await context.command(createBuild, newBuild, fieldNames)).build });
  }

  @Mutation(() => BuildCancelPayload, { ...optional, description: 'Cancels a build.' })
  async buildCancel(
    @Arg('input', () => BuildCancelInput, { description: 'Build to cancel.' }) input: BuildCancelInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, {
      build: (await context.command(cancelBuild, { ...addressOf(input.id), reason: input.reason })).build,
    });
  }

  @Mutation(() => BuildRebuildPayload, { ...optional, description: 'Creates a build from an existing build.' })
  async buildRebuild(
    @Arg('input', () => BuildRebuildInput, { description: 'Build to rebuild.' }) input: BuildRebuildInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { build: rebuild } = await context.command(rebuildBuild, addressOf(input.id));
    const build = rebuild.rebuiltFromId === null ? rebuild : await context.references.build.load(rebuild.rebuiltFromId);
    return payload(input, { build, rebuild });
  }

  @Mutation(() => BuildRetryFailedJobsPayload, {
    ...optional,
    description: 'Retries the failed jobs of a build whose steps allow retries.',
  })
  async buildRetryFailedJobs(
    @Arg('input', () => BuildRetryFailedJobsInput, { description: 'Build whose failed jobs to retry.' })
    input: BuildRetryFailedJobsInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { build, retriedJobsCount } = await context.command(retryFailedJobs, {
      ...addressOf(input.id),
      states: input.states,
    });
    return payload(input, { build, retriedJobsCount });
  }
}
