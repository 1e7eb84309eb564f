import { Arg, Args, Ctx, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { BuildAuthor } from '../../entities/build.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { getBuild } from '../../operations/builds/get.js';
import { listJobsOfBuilds } from '../../operations/jobs/list-of-builds.js';
import { webUrls } from '../../web-urls.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { BuildBlockedStates, BuildStates } from '../enums.js';
import { slugParts, uuidOf } from '../ids.js';
import { JobArguments, jobFilterInput } from '../jobs/job-arguments.js';
import { JobConnection } from '../jobs/job.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { UnregisteredUser } from '../organizations/unregistered-user.js';
import { DateTime } from '../scalars/date-time.js';
import { envList } from './env.js';

@ObjectType({ implements: Node, description: 'One run of a pipeline.' })
export class Build {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => Int)
  number!: number;

  @Field(() => BuildStates)
  state!: string;

  @Field(() => BuildBlockedStates, { ...optional, description: 'What the build is beneath a block.' })
  blockedState!: string | null;

  @Field(() => String)
  branch!: string;

  @Field(() => String)
  commit!: string;

  @Field(() => String, { ...optional, description: 'The tag that was built.' })
  tag!: string | null;

  @Field(() => UnregisteredUser, { ...optional, description: 'Who wrote the commit, where that was said when the build was made.' })
  author!: BuildAuthor | null;

  @Field(() => String, optional)
  message!: string | null;

  @Field(() => String, optional)
  cancelReason!: string | null;

  @Field(() => DateTime, optional)
  canceledAt!: Date | null;

  @Field(() => DateTime, optional)
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'When the first job failed that makes the build fail.' })
  failingAt!: Date | null;

  @Field(() => DateTime, optional)
  finishedAt!: Date | null;

  @Field(() => DateTime, optional)
  scheduledAt!: Date | null;

  @Field(() => DateTime, optional)
  startedAt!: Date | null;
}

export const { Connection: BuildConnection } = connectionOf('Build', () => Build);

@Resolver(() => Build)
export class BuildResolver {
  @Query(() => Build, { ...optional, description: 'A build by its slug (`organization/pipeline/number`) or uuid.' })
  async build(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, optional) slug: string | null | undefined,
    @Arg('uuid', () => ID, optional) uuid: string | null | undefined,
  ): Promise<BuildRow | null> {
    const [organization, pipeline, number] = slugParts(slug ?? '', 3) ?? [];
    const address = uuid ? { id: uuidOf(uuid, ['Build']) } : organization && pipeline && number ? { organization, pipeline, number } : null;
    return address && ((await context.find(getBuild, { build: address }))?.build ?? null);
  }

  @FieldResolver(() => [String], { ...optional, description: 'Environment of all jobs, as `KEY=value`.' })
  env(@Root() build: BuildRow): string[] {
    return envList(build.env);
  }

  @FieldResolver(() => JobConnection, { ...optional, description: 'Jobs, all attempts.' })
  async jobs(@Root() build: BuildRow, @Ctx() context: GraphqlContext, @Args(() => JobArguments) given: JobArguments) {
    return connectionValue(await context.among(listJobsOfBuilds, 'buildIds', build.id, jobFilterInput(given, given.priority?.number, given.order)));
  }

  @FieldResolver(() => String, { description: 'The page of the build.' })
  async url(@Root() build: BuildRow, @Ctx() context: GraphqlContext): Promise<string> {
    return buildUrl(context, build);
  }
}

/** The place of a job on the page of its build. */
export async function jobUrl(context: GraphqlContext, { id, buildId }: JobRow): Promise<string> {
  const build = await context.load.build.load(buildId);
  return build ? `${await buildUrl(context, build)}#${id}` : context.baseUrl;
}

/** The page of a build. */
export async function buildUrl(context: GraphqlContext, build: BuildRow): Promise<string> {
  const [organization, pipeline] = await Promise.all([context.load.organization.load(build.organizationId), context.load.pipeline.load(build.pipelineId)]);
  return webUrls.build(context.baseUrl, organization?.slug ?? '', pipeline?.slug ?? '', build.number);
}
