import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { ShownBuildRow } from '../../entities/database.js';
import type { GraphqlContext } from '../context.js';
import { Reads } from '../execution/reads.js';
import { JobTypeTrigger } from './jobs/job-type-trigger.js';
import { optional } from '../server/options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { BuildCreator } from './build-creator.js';
import { BuildSource, sourceOf } from './build-source.js';
import { Build } from './build.js';

@ObjectType({ description: 'Pull request of a build.' })
export class PullRequest {
  @Field(() => String, { description: 'Number of the pull request at the source provider.' })
  id!: string;

  @Field(() => String, {
    ...optional,
    description: 'Branch that the pull request is to be merged into; null when unknown.',
  })
  base!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'URL of the repository that the pull request comes from; null when unknown.',
  })
  repository!: string | null;

  @Field(() => [String], { description: 'Labels of the pull request.' })
  labels!: string[];

  @Field(() => Boolean, { ...optional, description: 'Whether the pull request is a draft; null when unknown.' })
  draft!: boolean | null;
}

/** Fields of a build that lead to other types. */
@Resolver(() => Build)
export class BuildRelationsResolver {
  @Reads<ShownBuildRow>('canceledById')
  @FieldResolver(() => User, {
    ...optional,
    description: 'User who canceled the build; null when the service did or the build is not canceled.',
  })
  canceledBy(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, build.canceledById);
  }

  @Reads<ShownBuildRow>('creatorId', 'author')
  @FieldResolver(() => BuildCreator, {
    ...optional,
    description: 'User who created the build, or else the author of the commit.',
  })
  async createdBy(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext) {
    const user = await context.loadReference(null, context.load.user, build.creatorId);
    return user ?? build.author;
  }

  @Reads<ShownBuildRow>('organizationId')
  @FieldResolver(() => Organization, { description: 'Organization of the build.' })
  organization(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(build.organizationId);
  }

  @Reads<ShownBuildRow>('pipelineId')
  @FieldResolver(() => Pipeline, { description: 'Pipeline of the build.' })
  pipeline(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext) {
    return context.references.pipeline.load(build.pipelineId);
  }

  @FieldResolver(() => PullRequest, { ...optional, description: 'Pull request of the build; null without one.' })
  pullRequest(@Root() build: ShownBuildRow): PullRequest | null {
    if (build.pullRequestId === null) return null;
    const {
      pullRequestId: id,
      pullRequestBaseBranch: base,
      pullRequestRepository: repository,
      pullRequestLabels: labels,
      pullRequestDraft: draft,
    } = build;
    return { id, base, repository, labels, draft };
  }

  @Reads<ShownBuildRow>('rebuiltFromId')
  @FieldResolver(() => Build, {
    ...optional,
    description: 'Build that the build was rebuilt from; null when the build is no rebuild or that build is hidden.',
  })
  rebuiltFrom(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.references.build, build.rebuiltFromId);
  }

  @FieldResolver(() => BuildSource, { description: 'Source that created the build.' })
  source(@Root() build: ShownBuildRow) {
    return sourceOf(build);
  }

  @Reads<ShownBuildRow>('triggeredFromJobId')
  @FieldResolver(() => JobTypeTrigger, {
    ...optional,
    description: 'Trigger job that started the build; null without one or when the job is hidden.',
  })
  triggeredFrom(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.references.job, build.triggeredFromJobId);
  }
}
