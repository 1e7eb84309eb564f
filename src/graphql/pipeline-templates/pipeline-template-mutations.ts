import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createTemplate } from '../../operations/pipeline-templates/create.js';
import { deleteTemplate } from '../../operations/pipeline-templates/delete.js';
import { updateTemplate } from '../../operations/pipeline-templates/update.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { PipelineTemplate } from './pipeline-template.js';

@InputType({ description: 'A pipeline template to be made.' })
class PipelineTemplateCreateInput extends MutationInput {
  @Field(() => Boolean, { ...optional, defaultValue: false })
  available?: boolean | null;

  @Field(() => String)
  configuration!: string;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String)
  name!: string;

  @Field(() => ID)
  organizationId!: string;
}

@InputType({ description: 'Changes to a pipeline template; what is absent stays as it is.' })
class PipelineTemplateUpdateInput extends IdInput {
  @Field(() => Boolean, optional)
  available?: boolean | null;

  @Field(() => String, optional)
  configuration?: string | null;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, optional)
  name?: string | null;

  @Field(() => ID)
  organizationId!: string;
}

@InputType({ description: 'A pipeline template to be deleted.' })
class PipelineTemplateDeleteInput extends IdInput {
  @Field(() => ID)
  organizationId!: string;
}

@ObjectType({ description: 'The pipeline template that was made.' })
class PipelineTemplateCreatePayload extends MutationPayload {
  @Field(() => PipelineTemplate)
  pipelineTemplate!: unknown;
}

@ObjectType({ description: 'The pipeline template as it is now.' })
class PipelineTemplateUpdatePayload extends MutationPayload {
  @Field(() => PipelineTemplate)
  pipelineTemplate!: unknown;
}

@ObjectType({ description: 'What was deleted.' })
class PipelineTemplateDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedPipelineTemplateId!: string;
}

const addressOf = ({ id, organizationId }: { id: string; organizationId: string }) => ({
  pipelineTemplate: { organizationId: uuidOf(organizationId, ['Organization']), id: uuidOf(id, ['PipelineTemplate']) },
});

@Resolver()
export class PipelineTemplateMutations {
  @Mutation(() => PipelineTemplateCreatePayload, { ...optional, description: 'Makes a pipeline template.' })
  async pipelineTemplateCreate(@Arg('input', () => PipelineTemplateCreateInput) input: PipelineTemplateCreateInput, @Ctx() context: GraphqlContext) {
    const { name, configuration, description, available } = input;
    const organization = { id: uuidOf(input.organizationId, ['Organization']) };
    const { pipelineTemplate } = await context.command(createTemplate, { organization, name, configuration, description, available });
    return payload(input, { pipelineTemplate });
  }

  @Mutation(() => PipelineTemplateUpdatePayload, { ...optional, description: 'Changes a pipeline template; builds made afterwards run it as it is then.' })
  async pipelineTemplateUpdate(@Arg('input', () => PipelineTemplateUpdateInput) input: PipelineTemplateUpdateInput, @Ctx() context: GraphqlContext) {
    const { name, configuration, description, available } = input;
    const given = { ...addressOf(input), name: name ?? undefined, configuration: configuration ?? undefined, description, available };
    return payload(input, { pipelineTemplate: (await context.command(updateTemplate, given)).pipelineTemplate });
  }

  @Mutation(() => PipelineTemplateDeletePayload, { ...optional, description: 'Deletes a pipeline template that no pipeline has.' })
  async pipelineTemplateDelete(@Arg('input', () => PipelineTemplateDeleteInput) input: PipelineTemplateDeleteInput, @Ctx() context: GraphqlContext) {
    const { pipelineTemplate } = await context.command(deleteTemplate, addressOf(input));
    return payload(input, { deletedPipelineTemplateId: encodeNodeId('PipelineTemplate', pipelineTemplate.id) });
  }
}
