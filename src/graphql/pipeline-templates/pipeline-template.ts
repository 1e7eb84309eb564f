import { Arg, ArgsType, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { TemplateRow } from '../../operations/pipeline-templates/find-template.js';
import { getTemplate } from '../../operations/pipeline-templates/get.js';
import { PageArguments } from '../connections/arguments.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { PipelineTemplateOrder } from '../enums.js';
import { uuidOf } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { Yaml } from '../scalars/text.js';

@ObjectType({ implements: Node, description: 'Steps that pipelines run in place of their own.' })
export class PipelineTemplate {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => Yaml, { description: 'The definition, as it was given.' })
  configuration!: string;

  @Field(() => Boolean, { description: 'Whether those who are no administrators may assign it.' })
  available!: boolean;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;
}

export const { Connection: PipelineTemplateConnection } = connectionOf('PipelineTemplate', () => PipelineTemplate);

@ArgsType()
export class PipelineTemplateArguments extends PageArguments {
  @Field(() => PipelineTemplateOrder, { ...optional, defaultValue: PipelineTemplateOrder.NAME })
  order?: string | null;
}

@Resolver(() => PipelineTemplate)
export class PipelineTemplateResolver {
  @Query(() => PipelineTemplate, { ...optional, description: 'A pipeline template by its uuid.' })
  async pipelineTemplate(@Ctx() context: GraphqlContext, @Arg('uuid', () => ID) uuid: string): Promise<TemplateRow | null> {
    return (await context.find(getTemplate, { pipelineTemplate: { id: uuidOf(uuid, ['PipelineTemplate']) } }))?.pipelineTemplate ?? null;
  }

  @FieldResolver(() => User)
  createdBy(@Root() template: TemplateRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, template.createdById);
  }

  @FieldResolver(() => User)
  updatedBy(@Root() template: TemplateRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, template.updatedById);
  }
}
