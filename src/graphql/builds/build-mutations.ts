import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { cancelBuild } from '../../operations/builds/cancel.js';
import { createBuild } from '../../operations/builds/create.js';
import { rebuildBuild } from '../../operations/builds/rebuild.js';
import { retryFailedJobs } from '../../operations/builds/retry-failed-jobs.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { BuildCancelInput, BuildCreateInput, BuildRebuildInput, BuildRetryFailedJobsInput } from './build-inputs.js';
import { Build } from './build.js';
import { envFromList } from './env.js';

@ObjectType({ description: 'The build that was made.' })
class BuildCreatePayload extends MutationPayload {
  @Field(() => Build, optional)
  build!: unknown;
}

@ObjectType({ description: 'The build as it is now.' })
class BuildCancelPayload extends MutationPayload {
  @Field(() => Build)
  build!: unknown;
}

@ObjectType({ description: 'The build, and the one made from it.' })
class BuildRebuildPayload extends MutationPayload {
  @Field(() => Build)
  build!: unknown;

  @Field(() => Build)
  rebuild!: unknown;
}

@ObjectType({ description: 'The build as it is now, and how many of its jobs were retried.' })
class BuildRetryFailedJobsPayload extends MutationPayload {
  @Field(() => Build)
  build!: unknown;

  @Field(() => Int)
  retriedJobsCount!: number;
}

const addressOf = (id: string) => ({ build: { id: uuidOf(id, ['Build']) } });

/** What fields of the operation are called in the input. */
const fieldNames = { pipeline: 'pipelineID' };

@Resolver()
export class BuildMutations {
  @Mutation(() => BuildCreatePayload, { ...optional, description: 'Makes a build of a pipeline.' })
  async buildCreate(@Arg('input', () => BuildCreateInput) input: BuildCreateInput, @Ctx() context: GraphqlContext) {
    const { clientMutationId: _echoed, pipelineID, branch, commit, env, metaData, pullRequestId, ...rest } = input;
    const given = {
      ...rest,
      pipeline: { id: uuidOf(pipelineID, ['Pipeline']) },
      useDefaults: true,
      branch: branch ?? undefined,
      commit: commit ?? undefined,
      env: envFromList(env),
      metaData: metaData && Object.fromEntries(metaData.map(({ key, value }) => [key, value])),
      pullRequestId: pullRequestId || null,
    };
    return payload(input, { build: (await context.command(createBuild, given, fieldNames)).build });
  }

  @Mutation(() => BuildCancelPayload, { ...optional, description: 'Cancels a build.' })
  async buildCancel(@Arg('input', () => BuildCancelInput) input: BuildCancelInput, @Ctx() context: GraphqlContext) {
    return payload(input, { build: (await context.command(cancelBuild, { ...addressOf(input.id), reason: input.reason })).build });
  }

  @Mutation(() => BuildRebuildPayload, { ...optional, description: 'Makes a new build like one there was.' })
  async buildRebuild(@Arg('input', () => BuildRebuildInput) input: BuildRebuildInput, @Ctx() context: GraphqlContext) {
    const { build: rebuild } = await context.command(rebuildBuild, addressOf(input.id));
    const build = rebuild.rebuiltFromId === null ? rebuild : await context.load.build.load(rebuild.rebuiltFromId);
    return payload(input, { build, rebuild });
  }

  @Mutation(() => BuildRetryFailedJobsPayload, { ...optional, description: 'Retries the failed jobs of a build that may be retried.' })
  async buildRetryFailedJobs(@Arg('input', () => BuildRetryFailedJobsInput) input: BuildRetryFailedJobsInput, @Ctx() context: GraphqlContext) {
    const { build, retriedJobsCount } = await context.command(retryFailedJobs, { ...addressOf(input.id), states: input.states });
    return payload(input, { build, retriedJobsCount });
  }
}
