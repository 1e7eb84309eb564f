import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createTemplate } from '../../../operations/pipelines/templates/create.js';
import { deleteTemplate } from '../../../operations/pipelines/templates/delete.js';
import { updateTemplate } from '../../../operations/pipelines/templates/update.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { PipelineTemplate } from './pipeline-template.js';

/** Fields that creating and updating a pipeline template share. */
@InputType('PipelineTemplateFieldsInput')
abstract class PipelineTemplateFieldsInput extends MutationInput {
  @Field(() => String, { ...optional, description: 'Description of the pipeline template.' })
  description?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@InputType({ description: 'Input of `pipelineTemplateCreate`.' })
class PipelineTemplateCreateInput extends PipelineTemplateFieldsInput {
  @Field(() => Boolean, {
    ...optional,
    defaultValue: false,
    description: 'Whether users other than administrators can assign the pipeline template.',
  })
  available?: boolean | null;

  @Field(() => String, { description: 'Definition of the steps in YAML.' })
  configuration!: string;

  @Field(() => String, { description: 'Name of the pipeline template.' })
  name!: string;
}

@InputType({ description: 'Input of `pipelineTemplateUpdate`; absent fields keep their values.' })
class PipelineTemplateUpdateInput extends PipelineTemplateFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the pipeline template.' })
  id!: string;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether users other than administrators can assign the pipeline template.',
  })
  available?: boolean | null;

  @Field(() => String, { ...optional, description: 'Definition of the steps in YAML.' })
  configuration?: string | null;

  @Field(() => String, { ...optional, description: 'Name of the pipeline template.' })
  name?: string | null;
}

@InputType({ description: 'Input of `pipelineTemplateDelete`.' })
class PipelineTemplateDeleteInput extends IdInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'Result of `pipelineTemplateCreate`.' })
class PipelineTemplateCreatePayload extends MutationPayload {
  @Field(() => PipelineTemplate, { description: 'Pipeline template that was created.' })
  pipelineTemplate!: unknown;
}

@ObjectType({ description: 'Result of `pipelineTemplateUpdate`.' })
class PipelineTemplateUpdatePayload extends MutationPayload {
  @Field(() => PipelineTemplate, { description: 'Pipeline template after the change.' })
  pipelineTemplate!: unknown;
}

@ObjectType({ description: 'Result of `pipelineTemplateDelete`.' })
class PipelineTemplateDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted pipeline template.' })
  deletedPipelineTemplateId!: string;
}

const addressOf = ({ id, organizationId }: { id: string; organizationId: string }) => ({
  pipelineTemplate: { organizationId: uuidOf(organizationId, ['Organization']), id: uuidOf(id, ['PipelineTemplate']) },
});

@Resolver()
export class PipelineTemplateMutations {
  @Mutation(() => PipelineTemplateCreatePayload, { ...optional, description: 'Creates a pipeline template.' })
  async pipelineTemplateCreate(
    @Arg('input', () => PipelineTemplateCreateInput, {
      description: 'Organization and fields of the new pipeline template.',
    })
    input: PipelineTemplateCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { name, configuration, description, available } = input;
    const organization = { id: uuidOf(input.organizationId, ['Organization']) };
    const { pipelineTemplate } = await context.command(createTemplate, {
      organization,
      name,
      configuration,
      description,
      available,
    });
    return payload(input, { pipelineTemplate });
  }

  @Mutation(() => PipelineTemplateUpdatePayload, {
    ...optional,
    description: 'Updates a pipeline template; later builds run the new steps.',
  })
  async pipelineTemplateUpdate(
    @Arg('input', () => PipelineTemplateUpdateInput, { description: 'Pipeline template and its new values.' })
    input: PipelineTemplateUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { name, configuration, description, available } = input;
    const fields = {
      ...addressOf(input),
      name: name ?? undefined,
      configuration: configuration ?? undefined,
      description,
      available,
    };
    return payload(input, { pipelineTemplate: (await context.command(updateTemplate, fields)).pipelineTemplate });
  }

  @Mutation(() => PipelineTemplateDeletePayload, {
    ...optional,
    description: 'Deletes a pipeline template that no pipeline uses.',
  })
  async pipelineTemplateDelete(
    @Arg('input', () => PipelineTemplateDeleteInput, { description: 'Pipeline template to delete.' })
    input: PipelineTemplateDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipelineTemplate } = await context.command(deleteTemplate, addressOf(input));
    return payload(input, { deletedPipelineTemplateId: encodeNodeId('PipelineTemplate', pipelineTemplate.id) });
  }
}
