import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { BuildRow } from '../../entities/database.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import type { GraphqlContext } from '../context.js';
import { JobTypeTrigger } from '../jobs/job-type-trigger.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { BuildCreator } from './build-creator.js';
import { BuildSource, sourceOf } from './build-source.js';
import { Build } from './build.js';

@ObjectType({ description: 'The pull request that a build is of.' })
export class PullRequest {
  @Field(() => String, { description: 'Its number at the source provider.' })
  id!: string;

  @Field(() => String, { ...optional, description: 'The branch it is to be merged into.' })
  base!: string | null;

  @Field(() => String, { ...optional, description: 'The repository it comes from.' })
  repository!: string | null;

  @Field(() => [String])
  labels!: string[];

  @Field(() => Boolean, { ...optional, description: 'Whether it is a draft; null where nobody has said.' })
  draft!: boolean | null;
}

/** What a build has to do with other things. */
@Resolver(() => Build)
export class BuildRelationsResolver {
  @FieldResolver(() => User, { ...optional, description: 'Who canceled it; null where that was done by the service.' })
  canceledBy(@Root() build: BuildRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, build.canceledById);
  }

  @FieldResolver(() => BuildCreator, optional)
  async createdBy(@Root() build: BuildRow, @Ctx() context: GraphqlContext) {
    const user = await context.follow(null, context.load.user, build.creatorId);
    return user ?? build.author;
  }

  @FieldResolver(() => Organization)
  organization(@Root() build: BuildRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(build.organizationId);
  }

  @FieldResolver(() => Pipeline)
  pipeline(@Root() build: BuildRow, @Ctx() context: GraphqlContext) {
    return context.load.pipeline.load(build.pipelineId);
  }

  @FieldResolver(() => PullRequest, optional)
  pullRequest(@Root() build: BuildRow): PullRequest | null {
    if (build.pullRequestId === null) return null;
    const { pullRequestId: id, pullRequestBaseBranch: base, pullRequestRepository: repository, pullRequestLabels: labels, pullRequestDraft: draft } = build;
    return { id, base, repository, labels, draft };
  }

  @FieldResolver(() => Build, optional)
  rebuiltFrom(@Root() build: BuildRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.build, build.rebuiltFromId);
  }

  @FieldResolver(() => BuildSource)
  source(@Root() build: BuildRow) {
    return sourceOf(build);
  }

  @FieldResolver(() => JobTypeTrigger, { ...optional, description: 'The trigger job that started it, if the viewer may see that one.' })
  async triggeredFrom(@Root() build: BuildRow, @Ctx() context: GraphqlContext) {
    const job = await context.follow(null, context.load.job, build.triggeredFromJobId);
    return job && (await context.among(pipelineLevels, 'pipelineIds', job.pipelineId)) ? job : null;
  }
}
