import { Arg, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Args, Ctx, Root } from 'type-graphql';
import type { PipelineRow } from '../../entities/database.js';
import { listBuildsOfPipelines } from '../../operations/builds/list-of-pipelines.js';
import { listJobsOfPipelines } from '../../operations/jobs/list-of-pipelines.js';
import { getPipeline } from '../../operations/pipelines/get.js';
import { webUrls } from '../../web-urls.js';
import { BuildArguments, buildFilterInput } from '../builds/build-arguments.js';
import { BuildConnection } from '../builds/build.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { PipelineVisibility } from '../enums.js';
import { slugParts, uuidOf } from '../ids.js';
import { JobArguments, jobFilterInput } from '../jobs/job-arguments.js';
import { JobConnection } from '../jobs/job.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { PipelineSteps, PipelineTag } from './pipeline-parts.js';

@ObjectType({ implements: Node, description: 'A series of steps that builds run.' })
export class Pipeline {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether builds of it may be built again.' })
  allowRebuilds!: boolean;

  @Field(() => DateTime, optional)
  archivedAt!: Date | null;

  @Field(() => String, { ...optional, description: 'Patterns of the branches that are built.' })
  branchConfiguration!: string | null;

  @Field(() => Boolean, { name: 'cancelIntermediateBuilds', description: 'Whether a new build cancels running ones of its branch.' })
  cancelRunningBranchBuilds!: boolean;

  @Field(() => String, { ...optional, name: 'cancelIntermediateBuildsBranchFilter' })
  cancelRunningBranchBuildsFilter!: string | null;

  @Field(() => String, optional)
  cloneMirrorUrl!: string | null;

  @Field(() => String, optional)
  color!: string | null;

  @Field(() => DateTime, optional)
  createdAt!: Date;

  @Field(() => String, optional)
  defaultBranch!: string;

  @Field(() => Int, optional)
  defaultTimeoutInMinutes!: number | null;

  @Field(() => String, optional)
  emoji!: string | null;

  @Field(() => Int, optional)
  maximumTimeoutInMinutes!: number | null;

  @Field(() => Int, { description: 'The number the next build gets.' })
  nextBuildNumber!: number;

  @Field(() => Boolean, { name: 'skipIntermediateBuilds', description: 'Whether a new build skips waiting ones of its branch.' })
  skipQueuedBranchBuilds!: boolean;

  @Field(() => String, { ...optional, name: 'skipIntermediateBuildsBranchFilter' })
  skipQueuedBranchBuildsFilter!: string | null;

  @Field(() => PipelineVisibility)
  visibility!: string;
}

export const { Connection: PipelineConnection, Edge: PipelineEdge } = connectionOf('Pipeline', () => Pipeline);

/** Commits are shown this short, as most tools do. */
const commitShortLength = 10;

@Resolver(() => Pipeline)
export class PipelineResolver {
  @Query(() => Pipeline, { ...optional, description: 'A pipeline by its slug (`organization/pipeline`) or uuid.' })
  async pipeline(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, optional) slug: string | null | undefined,
    @Arg('uuid', () => ID, optional) uuid: string | null | undefined,
  ): Promise<PipelineRow | null> {
    const [organization, name] = slugParts(slug ?? '', 2) ?? [];
    const address = uuid ? { id: uuidOf(uuid, ['Pipeline']) } : organization && name ? { organization, slug: name } : null;
    return address && ((await context.find(getPipeline, { pipeline: address }))?.pipeline ?? null);
  }

  @FieldResolver(() => Boolean)
  archived(@Root() pipeline: PipelineRow): boolean {
    return pipeline.archivedAt !== null;
  }

  @FieldResolver(() => String, { description: 'A picture of the state of the last build.' })
  badgeURL(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext): string {
    return webUrls.badge(context.baseUrl, pipeline.badgeToken);
  }

  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds, newest first.' })
  async builds(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Args(() => BuildArguments) given: BuildArguments) {
    return connectionValue(await context.among(listBuildsOfPipelines, 'pipelineIds', pipeline.id, buildFilterInput(given)));
  }

  @FieldResolver(() => Int, { description: 'How many characters of a commit are shown.' })
  commitShortLength(): number {
    return commitShortLength;
  }

  @FieldResolver(() => JobConnection, { ...optional, description: 'Jobs of all builds, all attempts.' })
  async jobs(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Args(() => JobArguments) given: JobArguments) {
    return connectionValue(await context.among(listJobsOfPipelines, 'pipelineIds', pipeline.id, jobFilterInput(given, given.priority?.number, given.order)));
  }

  @FieldResolver(() => Boolean, { deprecationReason: 'Use `visibility`.' })
  public(@Root() pipeline: PipelineRow): boolean {
    return pipeline.visibility === 'public';
  }

  @FieldResolver(() => PipelineSteps, optional)
  steps(@Root() pipeline: PipelineRow): PipelineSteps {
    return { yaml: pipeline.configuration };
  }

  @FieldResolver(() => [PipelineTag])
  tags(@Root() pipeline: PipelineRow): PipelineTag[] {
    return pipeline.tags.map((label) => ({ label }));
  }

  @FieldResolver(() => String, { description: 'The page of the pipeline.' })
  async url(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext): Promise<string> {
    const organization = await context.load.organization.load(pipeline.organizationId);
    return webUrls.pipeline(context.baseUrl, organization?.slug ?? '', pipeline.slug);
  }
}
