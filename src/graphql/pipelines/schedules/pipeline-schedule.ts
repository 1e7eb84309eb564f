import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { PipelineScheduleRow } from '../../../entities/database.js';
import { listBuilds } from '../../../operations/builds/list.js';
import { getSchedule } from '../../../operations/pipelines/schedules/get.js';
import { pipelineLevels } from '../../../operations/pipelines/list-access-levels.js';
import { BuildConnection } from '../../builds/build.js';
import { envList } from '../../builds/env.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { slugParts } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { Permission, permission } from '../../permission.js';
import { Pipeline } from '../pipeline.js';
import { DateTime } from '../../scalars/date-time.js';

@ObjectType({ description: 'Permissions of the viewer for a schedule.' })
export class PipelineSchedulePermissions {
  @Field(() => Permission, { ...optional, description: 'Permission to delete the schedule.' })
  pipelineScheduleDelete!: Permission;

  @Field(() => Permission, { ...optional, description: 'Permission to edit the schedule.' })
  pipelineScheduleUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'Schedule that creates builds of a pipeline.' })
export class PipelineSchedule {
  @Field(() => String, { name: 'uuid', description: 'UUID of the schedule; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Label of the schedule.' })
  label!: string;

  @Field(() => String, {
    description: 'Cron expression of the schedule: five fields and an optional time zone, or a name such as `@daily`.',
  })
  cronline!: string;

  @Field(() => String, { ...optional, description: 'Branch of the builds.' })
  branch!: string;

  @Field(() => String, { ...optional, description: 'Commit of the builds.' })
  commit!: string;

  @Field(() => String, { ...optional, description: 'Message of the builds.' })
  message!: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether the schedule creates builds.' })
  enabled!: boolean;

  @Field(() => DateTime, { ...optional, description: 'Time the schedule was created.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time of the failure that disabled the schedule; null without one.',
  })
  failedAt!: Date | null;

  @Field(() => String, {
    ...optional,
    description: 'Message of the failure that disabled the schedule; null without one.',
  })
  failedMessage!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time of the next build; null for a disabled schedule.' })
  nextBuildAt!: Date | null;
}

export const { Connection: PipelineScheduleConnection, Edge: PipelineScheduleEdge } = connectionOf(
  'PipelineSchedule',
  () => PipelineSchedule,
);

@Resolver(() => PipelineSchedule)
export class PipelineScheduleResolver {
  @Query(() => PipelineSchedule, {
    ...optional,
    description: 'Returns a schedule by its slug; null when the schedule is absent or hidden.',
  })
  async pipelineSchedule(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { description: 'Slug of the schedule: `organization/pipeline/uuid`.' }) slug: string,
  ): Promise<PipelineScheduleRow | null> {
    const [organization, pipeline, id] = slugParts(slug, 3) ?? [];
    const output =
      organization && pipeline && id
        ? await context.find(getSchedule, { pipelineSchedule: { organization, pipeline, id } })
        : null;
    return output?.pipelineSchedule ?? null;
  }

  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds that the schedule created, newest first.' })
  async builds(
    @Root() schedule: PipelineScheduleRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    const parent = { within: { pipeline: { id: schedule.pipelineId } }, pipelineScheduleId: schedule.id };
    return connectionValue(await context.performInBatch(listBuilds, parent, { paging: stretchOf(args) }));
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the schedule; null when unknown.' })
  createdBy(@Root() schedule: PipelineScheduleRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, schedule.createdById);
  }

  @FieldResolver(() => [String], { ...optional, description: 'Environment of the builds, as `KEY=value`.' })
  env(@Root() schedule: PipelineScheduleRow): string[] {
    return envList(schedule.env);
  }

  @FieldResolver(() => PipelineSchedulePermissions, { description: 'Permissions of the viewer for the schedule.' })
  async permissions(
    @Root() schedule: PipelineScheduleRow,
    @Ctx() context: GraphqlContext,
  ): Promise<PipelineSchedulePermissions> {
    const level = await context.performInBatch(pipelineLevels, { pipelineIds: schedule.pipelineId });
    const manage = permission(level === 'manage_build_and_read' && context.hasScope('write_pipelines'));
    return { pipelineScheduleDelete: manage, pipelineScheduleUpdate: manage };
  }

  @FieldResolver(() => Pipeline, { ...optional, description: 'Pipeline of the schedule.' })
  pipeline(@Root() schedule: PipelineScheduleRow, @Ctx() context: GraphqlContext) {
    return context.references.pipeline.load(schedule.pipelineId);
  }
}
