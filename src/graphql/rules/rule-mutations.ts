import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import type { Json } from '../../domain/steps/step.js';
import { createRule } from '../../operations/rules/create.js';
import { deleteRule } from '../../operations/rules/delete.js';
import { updateRule } from '../../operations/rules/update.js';
import { withinOrganization } from '../clusters/within-organization.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { JsonText } from '../scalars/json.js';
import { Rule } from './rule.js';

@InputType({ description: 'A new rule.' })
class RuleCreateInput extends MutationInput {
  @Field(() => String, optional)
  description?: string | null;

  @Field(() => ID, { description: 'The id or uuid of the organization.' })
  organizationId!: string;

  @Field(() => String, { description: '`pipeline.trigger_build.pipeline` or `pipeline.artifacts_read.pipeline`.' })
  type!: string;

  @Field(() => JsonText, { description: 'An object with `source_pipeline` and `target_pipeline`, each the uuid or slug of a pipeline.' })
  value!: Json;
}

@InputType({ description: 'A rule as it is to be.' })
class RuleUpdateInput extends IdInput {
  @Field(() => String, optional)
  description?: string | null;

  @Field(() => ID, { description: 'The id or uuid of the organization.' })
  organizationId!: string;

  @Field(() => JsonText, { description: 'An object with `source_pipeline` and `target_pipeline`, each the uuid or slug of a pipeline.' })
  value!: Json;
}

@InputType({ description: 'A rule to be deleted.' })
class RuleDeleteInput extends IdInput {
  @Field(() => ID, { description: 'The id or uuid of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'The new rule.' })
class RuleCreatePayload extends MutationPayload {
  @Field(() => Rule)
  rule!: unknown;
}

@ObjectType({ description: 'The rule as it is now.' })
class RuleUpdatePayload extends MutationPayload {
  @Field(() => Rule)
  rule!: unknown;
}

@ObjectType({ description: 'Which rule is gone.' })
class RuleDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedRuleId!: string;
}

@Resolver()
export class RuleMutations {
  @Mutation(() => RuleCreatePayload, { ...optional, description: 'Allows one pipeline to trigger another or to read its artifacts.' })
  async ruleCreate(@Arg('input', () => RuleCreateInput) input: RuleCreateInput, @Ctx() context: GraphqlContext) {
    const { type, value, description } = input;
    const { rule } = await context.command(createRule, { organization: { id: uuidOf(input.organizationId, ['Organization']) }, type, value, description });
    return payload(input, { rule });
  }

  @Mutation(() => RuleUpdatePayload, { ...optional, description: 'Changes between which pipelines a rule is, or its description.' })
  async ruleUpdate(@Arg('input', () => RuleUpdateInput) input: RuleUpdateInput, @Ctx() context: GraphqlContext) {
    const { value, description } = input;
    const { rule } = await context.command(updateRule, { rule: await withinOrganization(context, input.organizationId, input.id), value, description });
    return payload(input, { rule });
  }

  @Mutation(() => RuleDeletePayload, { ...optional, description: 'Deletes a rule.' })
  async ruleDelete(@Arg('input', () => RuleDeleteInput) input: RuleDeleteInput, @Ctx() context: GraphqlContext) {
    const { rule } = await context.command(deleteRule, { rule: await withinOrganization(context, input.organizationId, input.id) });
    return payload(input, { deletedRuleId: encodeNodeId('Rule', rule.id) });
  }
}
