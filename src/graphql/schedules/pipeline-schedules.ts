import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { PipelineRow } from '../../entities/database.js';
import { listSchedules } from '../../operations/pipeline-schedules/list.js';
import { BuildSourceSchedule, type SourceValue } from '../builds/build-source.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOfList, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { PipelineSchedule, PipelineScheduleConnection } from './pipeline-schedule.js';

/** What pipelines and builds have to do with schedules. Visitors of a public pipeline see none. */
@Resolver(() => Pipeline)
export class SchedulesOfPipelineResolver {
  @FieldResolver(() => PipelineScheduleConnection, { ...optional, description: 'When it is built by itself, newest first.' })
  async schedules(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    if (standing(context.actor, pipeline.organizationId) === 'visitor') return connectionOfList([], {});
    return connectionValue(await context.perform(listSchedules, { pipeline: { id: pipeline.id }, paging: stretchOf(given) }));
  }
}

@Resolver(() => BuildSourceSchedule)
export class BuildSourceScheduleResolver {
  @FieldResolver(() => PipelineSchedule, { ...optional, description: 'The schedule; null once it was deleted.' })
  async pipelineSchedule(@Root() { pipelineScheduleId }: SourceValue, @Ctx() context: GraphqlContext) {
    const schedule = await context.follow('read_pipelines', context.load.pipelineSchedule, pipelineScheduleId);
    return schedule && standing(context.actor, schedule.organizationId) !== 'visitor' ? schedule : null;
  }
}
