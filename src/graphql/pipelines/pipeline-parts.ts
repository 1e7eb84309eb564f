import { Field, ObjectType } from 'type-graphql';
import { optional } from '../server/options.js';
import { Permission } from '../permission.js';
import { Yaml } from '../scalars/text.js';

@ObjectType({ description: 'Steps of a pipeline.' })
export class PipelineSteps {
  @Field(() => Yaml, { ...optional, description: 'Definition of the steps in YAML, as it was written.' })
  yaml!: string | null;
}

@ObjectType({ description: 'Tag that groups pipelines.' })
export class PipelineTag {
  @Field(() => String, { description: 'Text of the tag.' })
  label!: string;
}

@ObjectType({ description: 'Permissions of the viewer for a pipeline.' })
export class PipelinePermissions {
  @Field(() => Permission, { description: 'Permission to create builds.' })
  buildCreate!: Permission;

  @Field(() => Permission, { description: 'Permission to delete the pipeline.' })
  pipelineDelete!: Permission;

  @Field(() => Permission, { description: 'Permission to add the pipeline to the favorites.' })
  pipelineFavorite!: Permission;

  @Field(() => Permission, { description: 'Permission to create schedules.' })
  pipelineScheduleCreate!: Permission;

  @Field(() => Permission, { description: 'Permission to edit the pipeline.' })
  pipelineUpdate!: Permission;
}
