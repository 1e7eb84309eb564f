import { Arg, Args, ArgsType, createUnionType, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { typeOfAction } from '../../domain/rules.js';
import type { OrganizationRow, RuleRow } from '../../entities/database.js';
import { getRule } from '../../operations/rules/get.js';
import { listRules } from '../../operations/rules/list.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { RuleAction, RuleEffect, RuleOrder, RuleSourceType, RuleTargetType } from '../enums.js';
import { uuidOf } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { DateTime } from '../scalars/date-time.js';

export const RuleSource = createUnionType({ name: 'RuleSource', description: 'What a rule allows something.', types: () => [Pipeline] as const, resolveType: () => 'Pipeline' });
export const RuleTarget = createUnionType({ name: 'RuleTarget', description: 'What a rule allows it with.', types: () => [Pipeline] as const, resolveType: () => 'Pipeline' });

@ObjectType({ implements: Node, description: 'What one pipeline may do with another, whatever their clusters and teams.' })
export class Rule {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => RuleAction, optional)
  action!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: RuleConnection } = connectionOf('Rule', () => Rule);

@ArgsType()
class OrganizationRulesArguments extends PageArguments {
  @Field(() => [RuleAction], optional)
  action?: string[] | null;

  @Field(() => RuleOrder, { ...optional, defaultValue: RuleOrder.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => ID, { ...optional, description: 'The id or uuid of a pipeline.' })
  sourceId?: string | null;

  @Field(() => [RuleSourceType], optional)
  sourceType?: string[] | null;

  @Field(() => ID, { ...optional, description: 'The id or uuid of a pipeline.' })
  targetId?: string | null;

  @Field(() => [RuleTargetType], optional)
  targetType?: string[] | null;
}

@Resolver(() => Rule)
export class RuleResolver {
  @Query(() => Rule, { ...optional, description: 'A rule by its uuid, for administrators.' })
  async rule(@Ctx() context: GraphqlContext, @Arg('uuid', () => ID) uuid: string): Promise<RuleRow | null> {
    return (await context.find(getRule, { rule: { id: uuidOf(uuid, ['Rule']) } }))?.rule ?? null;
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() rule: RuleRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, rule.createdById);
  }

  @FieldResolver(() => String, { ...optional, description: 'The rule as a JSON document.' })
  document(@Root() rule: RuleRow): string {
    return JSON.stringify({ rule: typeOfAction(rule.action), value: { source_pipeline: rule.sourcePipelineId, target_pipeline: rule.targetPipelineId } }, null, 2);
  }

  @FieldResolver(() => RuleEffect, optional)
  effect(): string {
    return RuleEffect.ALLOW;
  }

  @FieldResolver(() => Organization, optional)
  organization(@Root() rule: RuleRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(rule.organizationId);
  }

  @FieldResolver(() => RuleSource, optional)
  source(@Root() rule: RuleRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_pipelines', context.load.pipeline, rule.sourcePipelineId);
  }

  @FieldResolver(() => RuleSourceType, optional)
  sourceType(): string {
    return RuleSourceType.PIPELINE;
  }

  @FieldResolver(() => RuleTarget, optional)
  target(@Root() rule: RuleRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_pipelines', context.load.pipeline, rule.targetPipelineId);
  }

  @FieldResolver(() => RuleTargetType, optional)
  targetType(): string {
    return RuleTargetType.PIPELINE;
  }

  @FieldResolver(() => String)
  type(@Root() rule: RuleRow): string {
    return typeOfAction(rule.action);
  }
}

@Resolver(() => Organization)
export class OrganizationRulesResolver {
  @FieldResolver(() => RuleConnection, { ...optional, description: 'Rules, for administrators, newest first. Every source and target is a pipeline.' })
  async rules(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationRulesArguments) given: OrganizationRulesArguments) {
    const { action, sourceId, targetId } = given;
    return connectionValue(await context.perform(listRules, { organization: { id: organization.id }, actions: action, source: sourceId, target: targetId, paging: stretchOf(given) }));
  }
}
