import { Field, InterfaceType, ObjectType } from 'type-graphql';
import type { BuildSource as SourceWord } from '../../entities/builds/build.js';
import type { ShownBuildRow } from '../../entities/database.js';

export interface SourceValue {
  kind: SourceWord;
  name: string;
  /** Schedule that created the build; null without one. */
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

const names: Record<SourceWord, string> = {
  api: 'API',
  ui: 'Frontend',
  schedule: 'Schedule',
  trigger_job: 'Trigger Job',
  webhook: 'Webhook',
};

/** Value behind the source of a build. */
export const sourceOf = ({
  source: kind,
  id: buildId,
  pipelineId,
  pipelineScheduleId,
}: Pick<ShownBuildRow, 'source' | 'id' | 'pipelineId' | 'pipelineScheduleId'>): SourceValue => ({
  kind,
  name: names[kind],
  buildId,
  pipelineId,
  pipelineScheduleId,
});

@InterfaceType({
  description: 'Source that created a build.',
  resolveType: (source: SourceValue) => types[source.kind],
})
export abstract class BuildSource {
  @Field(() => String, { description: 'Display name of the source.' })
  name!: string;
}

@ObjectType({ implements: BuildSource, description: 'Source of a build created through an API.' })
export class BuildSourceAPI {}

@ObjectType({ implements: BuildSource, description: 'Source of a build created in the console.' })
export class BuildSourceFrontend {}

@ObjectType({ implements: BuildSource, description: 'Source of a build created by a schedule.' })
export class BuildSourceSchedule {}

@ObjectType({ implements: BuildSource, description: 'Source of a build created by a trigger job.' })
export class BuildSourceTriggerJob {}

@ObjectType({ implements: BuildSource, description: 'Source of a build created by a webhook delivery.' })
export class BuildSourceWebhook {}
