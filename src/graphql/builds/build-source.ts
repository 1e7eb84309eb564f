import { Field, InterfaceType, ObjectType } from 'type-graphql';
import type { BuildSource as SourceWord } from '../../entities/build.js';
import type { BuildRow } from '../../entities/database.js';

export interface SourceValue {
  kind: SourceWord;
  name: string;
  /** The schedule that made the build, if one did. */
  pipelineScheduleId: string | null;
  buildId: string;
  pipelineId: string;
}

const types: Record<SourceWord, string> = {
  api: 'BuildSourceAPI',
  ui: 'BuildSourceFrontend',
  schedule: 'BuildSourceSchedule',
  trigger_job: 'BuildSourceTriggerJob',
  webhook: 'BuildSourceWebhook',
};

const names: Record<SourceWord, string> = { api: 'API', ui: 'Frontend', schedule: 'Schedule', trigger_job: 'Trigger Job', webhook: 'Webhook' };

/** What made a build, as it is shown. */
export const sourceOf = ({ source: kind, id: buildId, pipelineId, pipelineScheduleId }: Pick<BuildRow, 'source' | 'id' | 'pipelineId' | 'pipelineScheduleId'>): SourceValue => ({ kind, name: names[kind], buildId, pipelineId, pipelineScheduleId });

@InterfaceType({ description: 'What made a build.', resolveType: (source: SourceValue) => types[source.kind] })
export abstract class BuildSource {
  @Field(() => String, { description: 'What made the build, in words.' })
  name!: string;
}

@ObjectType({ implements: BuildSource, description: 'The build was created through an API.' })
export class BuildSourceAPI {}

@ObjectType({ implements: BuildSource, description: 'The build was created in the console.' })
export class BuildSourceFrontend {}

@ObjectType({ implements: BuildSource, description: 'The build was created by a schedule.' })
export class BuildSourceSchedule {}

@ObjectType({ implements: BuildSource, description: 'The build was created by a trigger step.' })
export class BuildSourceTriggerJob {}

@ObjectType({ implements: BuildSource, description: 'The build was created by a delivery of a source provider.' })
export class BuildSourceWebhook {}
