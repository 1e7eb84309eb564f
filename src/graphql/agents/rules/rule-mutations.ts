import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { Json } from '../../../domain/pipelines/steps/step.js';
import { createRule } from '../../../operations/agents/rules/create.js';
import { deleteRule } from '../../../operations/agents/rules/delete.js';
import { updateRule } from '../../../operations/agents/rules/update.js';
import { IdInOrganizationInput, InOrganizationInput } from '../clusters/cluster-inputs.js';
import { withinOrganization } from '../clusters/within-organization.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { JsonText } from '../../scalars/json.js';
import { Rule } from './rule.js';

/** Fields that creating and updating a rule share. */
@InputType('RuleFieldsInput')
abstract class RuleFieldsInput extends InOrganizationInput {
  @Field(() => String, { ...optional, description: 'Description of the rule.' })
  description?: string | null;

  @Field(() => JsonText, {
    description:
      'JSON object with `source_pipeline` and `target_pipeline`, each the UUID or slug of a pipeline, and ' +
      'perhaps `conditions`, a list of texts such as `source.build.branch == "main"`.',
  })
  value!: Json;
}

@InputType({ description: 'Fields of a new rule.' })
class RuleCreateInput extends RuleFieldsInput {
  @Field(() => String, {
    description: 'Type of the rule: `pipeline.trigger_build.pipeline` or `pipeline.artifacts_read.pipeline`.',
  })
  type!: string;
}

@InputType({ description: 'Rule to update.' })
class RuleUpdateInput extends RuleFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the rule.' })
  id!: string;
}

@InputType({ description: 'Rule to delete.' })
class RuleDeleteInput extends IdInOrganizationInput {}

@ObjectType({ description: 'The new rule.' })
class RuleCreatePayload extends MutationPayload {
  @Field(() => Rule, { description: 'The new rule.' })
  rule!: unknown;
}

@ObjectType({ description: 'The rule after the mutation.' })
class RuleUpdatePayload extends MutationPayload {
  @Field(() => Rule, { description: 'The rule after the mutation.' })
  rule!: unknown;
}

@ObjectType({ description: 'The deleted rule.' })
class RuleDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted rule.' })
  deletedRuleId!: string;
}

@Resolver()
export class RuleMutations {
  @Mutation(() => RuleCreatePayload, {
    ...optional,
    description: 'Allows one pipeline to trigger another or to read its artifacts.',
  })
  async ruleCreate(
    @Arg('input', () => RuleCreateInput, { description: 'Fields of the new rule.' }) input: RuleCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { type, value, description } = input;
    const { rule } = await context.command(createRule, {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
      type,
      value,
      description,
    });
    return payload(input, { rule });
  }

  @Mutation(() => RuleUpdatePayload, {
    ...optional,
    description: 'Updates the pipelines or the description of a rule.',
  })
  async ruleUpdate(
    @Arg('input', () => RuleUpdateInput, { description: 'Rule to update, with its new fields.' })
    input: RuleUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { value, description } = input;
    const { rule } = await context.command(updateRule, {
      rule: await withinOrganization(context, input.organizationId, input.id),
      value,
      description,
    });
    return payload(input, { rule });
  }

  @Mutation(() => RuleDeletePayload, { ...optional, description: 'Deletes a rule.' })
  async ruleDelete(
    @Arg('input', () => RuleDeleteInput, { description: 'Rule to delete.' }) input: RuleDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { rule } = await context.command(deleteRule, {
      rule: await withinOrganization(context, input.organizationId, input.id),
    });
    return payload(input, { deletedRuleId: encodeNodeId('Rule', rule.id) });
  }
}
