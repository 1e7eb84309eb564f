import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { PipelineScheduleRow } from '../../entities/database.js';
import { listBuilds } from '../../operations/builds/list.js';
import { getSchedule } from '../../operations/pipeline-schedules/get.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import { BuildConnection } from '../builds/build.js';
import { envList } from '../builds/env.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { slugParts } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { Permission, permission } from '../permission.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ description: 'What the viewer may do with a schedule.' })
export class PipelineSchedulePermissions {
  @Field(() => Permission, optional)
  pipelineScheduleDelete!: Permission;

  @Field(() => Permission, optional)
  pipelineScheduleUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'Builds of a pipeline at certain times.' })
export class PipelineSchedule {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  label!: string;

  @Field(() => String, { description: 'When it builds: five fields and, optionally, a time zone; or a name such as @daily.' })
  cronline!: string;

  @Field(() => String, optional)
  branch!: string;

  @Field(() => String, optional)
  commit!: string;

  @Field(() => String, optional)
  message!: string | null;

  @Field(() => Boolean, optional)
  enabled!: boolean;

  @Field(() => DateTime, optional)
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'When it could not build, and was disabled for it.' })
  failedAt!: Date | null;

  @Field(() => String, { ...optional, description: 'Why it could not build.' })
  failedMessage!: string | null;

  @Field(() => DateTime, { ...optional, description: 'When it builds next; null while it is disabled.' })
  nextBuildAt!: Date | null;
}

export const { Connection: PipelineScheduleConnection, Edge: PipelineScheduleEdge } = connectionOf('PipelineSchedule', () => PipelineSchedule);

@Resolver(() => PipelineSchedule)
export class PipelineScheduleResolver {
  @Query(() => PipelineSchedule, { ...optional, description: 'A schedule by its slug (`organization/pipeline/uuid`).' })
  async pipelineSchedule(@Ctx() context: GraphqlContext, @Arg('slug', () => ID) slug: string): Promise<PipelineScheduleRow | null> {
    const [organization, pipeline, id] = slugParts(slug, 3) ?? [];
    const found = organization && pipeline && id ? await context.find(getSchedule, { pipelineSchedule: { organization, pipeline, id } }) : null;
    return found?.pipelineSchedule ?? null;
  }

  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds it made, newest first.' })
  async builds(@Root() schedule: PipelineScheduleRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    const input = { within: { pipeline: { id: schedule.pipelineId } }, pipelineScheduleId: schedule.id, paging: stretchOf(given) };
    return connectionValue(await context.perform(listBuilds, input));
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() schedule: PipelineScheduleRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, schedule.createdById);
  }

  @FieldResolver(() => [String], { ...optional, description: 'Environment of its builds, as `KEY=value`.' })
  env(@Root() schedule: PipelineScheduleRow): string[] {
    return envList(schedule.env);
  }

  @FieldResolver(() => PipelineSchedulePermissions)
  async permissions(@Root() schedule: PipelineScheduleRow, @Ctx() context: GraphqlContext): Promise<PipelineSchedulePermissions> {
    const level = await context.among(pipelineLevels, 'pipelineIds', schedule.pipelineId);
    const manage = permission(level === 'manage_build_and_read' && context.hasScope('write_pipelines'));
    return { pipelineScheduleDelete: manage, pipelineScheduleUpdate: manage };
  }

  @FieldResolver(() => Pipeline, optional)
  pipeline(@Root() schedule: PipelineScheduleRow, @Ctx() context: GraphqlContext) {
    return context.load.pipeline.load(schedule.pipelineId);
  }
}
