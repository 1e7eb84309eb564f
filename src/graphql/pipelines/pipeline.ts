import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { ShownPipelineRow } from '../../entities/database.js';
import { getPipeline } from '../../operations/pipelines/get.js';
import { webUrls } from '../../services/web-urls.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { PipelineVisibility } from '../enums.js';
import { slugParts, uuidOf } from '../nodes/ids.js';
import { Node } from '../nodes/node.js';
import { PipelineRetention } from '../retention/retention.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { PipelineSteps, PipelineTag } from './pipeline-parts.js';
import { badgeTokenOf } from '../../resources/pipelines/url-token.js';

@ObjectType({ implements: Node, description: 'Definition of steps that builds run.' })
export class Pipeline {
  @Field(() => String, { name: 'uuid', description: 'UUID of the pipeline; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Slug of the pipeline, unique within its organization.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the pipeline.' })
  name!: string;

  @Field(() => String, { ...optional, description: 'Description of the pipeline; null without one.' })
  description!: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether builds of the pipeline can be rebuilt.' })
  allowRebuilds!: boolean;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time the pipeline was archived; null when the pipeline is not archived.',
  })
  archivedAt!: Date | null;

  @Field(() => String, {
    ...optional,
    description: 'Patterns of the branches that are built, separated by spaces; null for all branches.',
  })
  branchConfiguration!: string | null;

  @Field(() => Boolean, {
    name: 'cancelIntermediateBuilds',
    description: 'Whether a new build cancels running builds of the same branch.',
  })
  cancelRunningBranchBuilds!: boolean;

  @Field(() => String, {
    ...optional,
    name: 'cancelIntermediateBuildsBranchFilter',
    description: 'Patterns of the branches that `cancelIntermediateBuilds` applies to; null for all branches.',
  })
  cancelRunningBranchBuildsFilter!: string | null;

  @Field(() => String, { ...optional, description: 'URL of a mirror that agents clone from; null without one.' })
  cloneMirrorUrl!: string | null;

  @Field(() => String, {
    ...optional,
    description: "Color of the pipeline's icon in hexadecimal, such as `#14CC80`; null without one.",
  })
  color!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time the pipeline was created.' })
  createdAt!: Date;

  @Field(() => String, { ...optional, description: 'Default branch of the repository.' })
  defaultBranch!: string;

  @Field(() => Int, {
    ...optional,
    description: 'Timeout of command steps that set none, in minutes; null or 0 without one.',
  })
  defaultTimeoutInMinutes!: number | null;

  @Field(() => String, { ...optional, description: 'Emoji of the pipeline, such as `:rocket:`; null without one.' })
  emoji!: string | null;

  @Field(() => Int, {
    ...optional,
    description: 'Longest timeout that a command step can have, in minutes; null or 0 without one.',
  })
  maximumTimeoutInMinutes!: number | null;

  @Field(() => Int, { description: 'Number of the next build.' })
  nextBuildNumber!: number;

  @Field(() => PipelineRetention, {
    ...optional,
    description: 'Retention policy of the builds; null for that of the organization.',
  })
  retention!: PipelineRetention | null;

  @Field(() => Boolean, {
    name: 'skipIntermediateBuilds',
    description: 'Whether a new build skips builds of the same branch that have not started.',
  })
  skipQueuedBranchBuilds!: boolean;

  @Field(() => String, {
    ...optional,
    name: 'skipIntermediateBuildsBranchFilter',
    description: 'Patterns of the branches that `skipIntermediateBuilds` applies to; null for all branches.',
  })
  skipQueuedBranchBuildsFilter!: string | null;

  @Field(() => PipelineVisibility, { description: 'Visibility of the pipeline.' })
  visibility!: string;
}

export const { Connection: PipelineConnection, Edge: PipelineEdge } = connectionOf('Pipeline', () => Pipeline);

/** Number of characters in an abbreviated commit, as in most tools. */
const commitShortLength = 10;

@Resolver(() => Pipeline)
export class PipelineResolver {
  @Query(() => Pipeline, {
    ...optional,
    description: 'Returns a pipeline by its slug or its UUID; null when the pipeline is absent or hidden.',
  })
  async pipeline(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { ...optional, description: 'Slug of the pipeline: `organization/pipeline`.' })
    slug: string | null | undefined,
    @Arg('uuid', () => ID, {
      ...optional,
      description: 'UUID or GraphQL ID of the pipeline; takes precedence over `slug`.',
    })
    uuid: string | null | undefined,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ShownPipelineRow | null> {
    const address = uuid ? { id: uuidOf(uuid, ['Pipeline']) } : addressOfSlug(slug ?? '');
    return address && ((await context.reach(getPipeline, { pipeline: address }, info))?.pipeline ?? null);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the pipeline is archived.' })
  archived(@Root() pipeline: ShownPipelineRow): boolean {
    return pipeline.archivedAt !== null;
  }

  @FieldResolver(() => String, { description: 'URL of a badge that shows the state of the latest build.' })
  badgeURL(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): string {
    return webUrls.badge(context.baseUrl, badgeTokenOf(context.services, pipeline));
  }

  @FieldResolver(() => Int, { description: 'Number of characters in an abbreviated commit.' })
  commitShortLength(): number {
    return commitShortLength;
  }

  @FieldResolver(() => Boolean, {
    deprecationReason: 'Use `visibility`.',
    description: 'Whether the pipeline is public.',
  })
  public(@Root() pipeline: ShownPipelineRow): boolean {
    return pipeline.visibility === 'public';
  }

  @FieldResolver(() => PipelineSteps, { ...optional, description: 'Steps of the pipeline.' })
  async steps(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): Promise<PipelineSteps> {
    return { yaml: (await context.load.longTexts.stepsOf(pipeline))?.configuration ?? null };
  }

  @FieldResolver(() => [PipelineTag], { description: 'Tags of the pipeline.' })
  tags(@Root() pipeline: ShownPipelineRow): PipelineTag[] {
    return pipeline.tags.map((label) => ({ label }));
  }

  @FieldResolver(() => String, { description: "URL of the pipeline's page in the console." })
  async url(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): Promise<string> {
    const organization = await context.load.organization.load(pipeline.organizationId);
    return webUrls.pipeline(context.baseUrl, organization?.slug ?? '', pipeline.slug);
  }
}

/** Address in the slug `organization/pipeline`; null for any other text. */
function addressOfSlug(slug: string) {
  const [organization, pipeline] = slugParts(slug, 2) ?? [];
  return organization && pipeline ? { organization, slug: pipeline } : null;
}
