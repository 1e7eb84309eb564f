import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { standing } from '../../../auth/authorize.js';
import type { ShownPipelineRow } from '../../../entities/database.js';
import { listSchedules } from '../../../operations/pipelines/schedules/list.js';
import { BuildSourceSchedule, type SourceValue } from '../../builds/build-source.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOfList, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { optional } from '../../server/options.js';
import { Pipeline } from '../pipeline.js';
import { PipelineSchedule, PipelineScheduleConnection } from './pipeline-schedule.js';

/** Fields of other types that lead to schedules. Visitors of a public pipeline see no schedule. */
@Resolver(() => Pipeline)
export class SchedulesOfPipelineResolver {
  @FieldResolver(() => PipelineScheduleConnection, {
    ...optional,
    description: 'Schedules of the pipeline, newest first; empty for visitors of a public pipeline.',
  })
  async schedules(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    if (standing(context.actor, pipeline.organizationId) === 'visitor') return connectionOfList([], {});
    return connectionValue(
      await context.performInBatch(listSchedules, { pipeline: { id: pipeline.id } }, { paging: stretchOf(args) }),
    );
  }
}

@Resolver(() => BuildSourceSchedule)
export class BuildSourceScheduleResolver {
  @FieldResolver(() => PipelineSchedule, {
    ...optional,
    description: 'Schedule that created the build; null when the schedule was deleted or is hidden.',
  })
  async pipelineSchedule(@Root() { pipelineScheduleId }: SourceValue, @Ctx() context: GraphqlContext) {
    const schedule = await context.loadReference('read_pipelines', context.load.pipelineSchedule, pipelineScheduleId);
    return schedule && standing(context.actor, schedule.organizationId) !== 'visitor' ? schedule : null;
  }
}
