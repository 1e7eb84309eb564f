import { Arg, ArgsType, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { TemplateRow } from '../../../resources/pipelines/templates/find-template.js';
import { getTemplate } from '../../../operations/pipelines/templates/get.js';
import { PageArguments } from '../../connections/arguments.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { PipelineTemplateOrder } from '../../enums.js';
import { uuidOf } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';
import { Yaml } from '../../scalars/text.js';

@ObjectType({ implements: Node, description: 'Steps that several pipelines can run in place of their own.' })
export class PipelineTemplate {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the pipeline template; `uuid` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Name of the pipeline template.' })
  name!: string;

  @Field(() => String, { ...optional, description: 'Description of the pipeline template; null without one.' })
  description!: string | null;

  @Field(() => Yaml, { description: 'Definition of the steps in YAML, as it was written.' })
  configuration!: string;

  @Field(() => Boolean, { description: 'Whether users other than administrators can assign the pipeline template.' })
  available!: boolean;

  @Field(() => DateTime, { description: 'Time the pipeline template was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time of the last change to the pipeline template.' })
  updatedAt!: Date;
}

export const { Connection: PipelineTemplateConnection } = connectionOf('PipelineTemplate', () => PipelineTemplate);

@ArgsType()
export class PipelineTemplateArguments extends PageArguments {
  @Field(() => PipelineTemplateOrder, {
    ...optional,
    defaultValue: PipelineTemplateOrder.NAME,
    description: 'Order of the pipeline templates.',
  })
  order?: string | null;
}

@Resolver(() => PipelineTemplate)
export class PipelineTemplateResolver {
  @Query(() => PipelineTemplate, {
    ...optional,
    description: 'Returns a pipeline template by its UUID; null when the template is absent or hidden.',
  })
  async pipelineTemplate(
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID or GraphQL ID of the pipeline template.' }) uuid: string,
  ): Promise<TemplateRow | null> {
    return (
      (await context.find(getTemplate, { pipelineTemplate: { id: uuidOf(uuid, ['PipelineTemplate']) } }))
        ?.pipelineTemplate ?? null
    );
  }

  @FieldResolver(() => User, { description: 'User who created the pipeline template.' })
  createdBy(@Root() template: TemplateRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, template.createdById);
  }

  @FieldResolver(() => User, { description: 'User who last changed the pipeline template.' })
  updatedBy(@Root() template: TemplateRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, template.updatedById);
  }
}
