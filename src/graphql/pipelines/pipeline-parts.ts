import { Field, ObjectType } from 'type-graphql';
import { optional } from '../options.js';
import { Permission } from '../permission.js';
import { Yaml } from '../scalars/text.js';

@ObjectType({ description: 'What a pipeline does, step by step.' })
export class PipelineSteps {
  @Field(() => Yaml, { ...optional, description: 'The definition, as it was given.' })
  yaml!: string | null;
}

@ObjectType({ description: 'A word that pipelines are grouped by.' })
export class PipelineTag {
  @Field(() => String)
  label!: string;
}

@ObjectType({ description: 'What the viewer may do with a pipeline.' })
export class PipelinePermissions {
  @Field(() => Permission)
  buildCreate!: Permission;

  @Field(() => Permission)
  pipelineDelete!: Permission;

  @Field(() => Permission)
  pipelineFavorite!: Permission;

  @Field(() => Permission)
  pipelineScheduleCreate!: Permission;

  @Field(() => Permission)
  pipelineUpdate!: Permission;
}
