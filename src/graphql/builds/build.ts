import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { BuildAuthor } from '../../entities/builds/build.js';
import type { ShownBuildRow, JobRow } from '../../entities/database.js';
import { getBuild } from '../../operations/builds/get.js';
import { webUrls } from '../../services/web-urls.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Reads } from '../execution/reads.js';
import { BuildBlockedStates, BuildStates } from '../enums.js';
import { slugParts, uuidOf } from '../nodes/ids.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { UnregisteredUser } from '../organizations/unregistered-user.js';
import { DateTime } from '../scalars/date-time.js';
import { envList } from './env.js';

@ObjectType({ implements: Node, description: 'Run of the steps of a pipeline for one commit.' })
export class Build {
  @Field(() => String, { name: 'uuid', description: 'UUID of the build; `id` in the REST API.' })
  id!: string;

  @Field(() => Int, { description: 'Number of the build within its pipeline, from 1.' })
  number!: number;

  @Field(() => BuildStates, { description: 'State of the build.' })
  state!: string;

  @Field(() => BuildBlockedStates, {
    ...optional,
    description: 'State of the other jobs while the build is blocked; null in any other state.',
  })
  blockedState!: string | null;

  @Field(() => String, { description: 'Branch of the commit.' })
  branch!: string;

  @Field(() => String, {
    description: 'Commit of the build, usually a SHA; `HEAD` until an agent resolves the branch.',
  })
  commit!: string;

  @Field(() => String, { ...optional, description: 'Tag of the commit; null when the build is not of a tag.' })
  tag!: string | null;

  @Field(() => UnregisteredUser, {
    ...optional,
    description: 'Author of the commit, as stated when the build was created; null when no author was stated.',
  })
  author!: BuildAuthor | null;

  @Field(() => String, {
    ...optional,
    description: 'Message of the build, usually the first line of the commit message.',
  })
  message!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Reason for the cancelation; null when none was stated or the build is not canceled.',
  })
  cancelReason!: string | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time the build was canceled; null when the build was not canceled.',
  })
  canceledAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the build was created.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time of the first job failure that makes the build fail; null without such a failure.',
  })
  failingAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the build finished; null before.' })
  finishedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the build was scheduled; null before.' })
  scheduledAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the first job started; null before.' })
  startedAt!: Date | null;
}

export const { Connection: BuildConnection } = connectionOf('Build', () => Build);

@Resolver(() => Build)
export class BuildResolver {
  @Query(() => Build, {
    ...optional,
    description: 'Returns a build by its slug or its UUID; null when the build is absent or hidden.',
  })
  async build(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { ...optional, description: 'Slug of the build: `organization/pipeline/number`.' })
    slug: string | null | undefined,
    @Arg('uuid', () => ID, {
      ...optional,
      description: 'UUID or GraphQL ID of the build; takes precedence over `slug`.',
    })
    uuid: string | null | undefined,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ShownBuildRow | null> {
    const address = uuid ? { id: uuidOf(uuid, ['Build']) } : addressOfSlug(slug ?? '');
    return address && ((await context.reach(getBuild, { build: address }, info))?.build ?? null);
  }

  @Reads<ShownBuildRow>('env')
  @FieldResolver(() => [String], {
    ...optional,
    description: 'Environment that the build gives every job, as `KEY=value`.',
  })
  env(@Root() build: ShownBuildRow): string[] {
    return envList(build.env);
  }

  @Reads<ShownBuildRow>('organizationId', 'pipelineId', 'number')
  @FieldResolver(() => String, { description: "URL of the build's page in the console." })
  async url(@Root() build: ShownBuildRow, @Ctx() context: GraphqlContext): Promise<string> {
    return buildUrl(context, build);
  }
}

/** URL of a job on its build's page; the base URL when the build is hidden. */
export async function jobUrl(context: GraphqlContext, { id, buildId }: JobRow): Promise<string> {
  const build = await context.references.build.load(buildId);
  return build ? `${await buildUrl(context, build)}#${id}` : context.baseUrl;
}

/** URL of a build's page. */
export async function buildUrl(context: GraphqlContext, build: ShownBuildRow): Promise<string> {
  const [organization, pipeline] = await Promise.all([
    context.load.organization.load(build.organizationId),
    context.references.pipeline.load(build.pipelineId),
  ]);
  return webUrls.build(context.baseUrl, organization?.slug ?? '', pipeline?.slug ?? '', build.number);
}

/** Address in the slug `organization/pipeline/number`; null for any other text. */
function addressOfSlug(slug: string) {
  const [organization, pipeline, number] = slugParts(slug, 3) ?? [];
  return organization && pipeline && number ? { organization, pipeline, number } : null;
}
