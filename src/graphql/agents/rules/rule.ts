import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  createUnionType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { typeOfAction } from '../../../domain/agents/organization-rules.js';
import type { OrganizationRow, RuleRow } from '../../../entities/database.js';
import { getRule } from '../../../operations/agents/rules/get.js';
import { listRules } from '../../../operations/agents/rules/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { RuleAction, RuleEffect, RuleOrder, RuleSourceType, RuleTargetType } from '../../enums.js';
import { uuidOf } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { User } from '../../organizations/user.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { DateTime } from '../../scalars/date-time.js';
import { ReadBy } from '../../execution/on-the-way.js';

export const RuleSource = createUnionType({
  name: 'RuleSource',
  description: 'Source of a rule: the object that may act.',
  types: () => [Pipeline] as const,
  resolveType: () => 'Pipeline',
});
export const RuleTarget = createUnionType({
  name: 'RuleTarget',
  description: 'Target of a rule: the object that the source may act on.',
  types: () => [Pipeline] as const,
  resolveType: () => 'Pipeline',
});

@ObjectType({
  implements: Node,
  description: 'A permission for one pipeline to act on another across clusters and teams.',
})
export class Rule {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the rule, its `id` in the REST API.' })
  id!: string;

  @Field(() => RuleAction, { ...optional, description: 'Action that the rule allows.' })
  action!: string;

  @Field(() => [String], {
    description: 'Conditions about the build of the source; the rule allows where all are true. Empty for always.',
  })
  conditions!: string[];

  @Field(() => String, { ...optional, description: 'Description of the rule; null without one.' })
  description!: string | null;

  @Field(() => DateTime, { description: 'Time the rule was created.' })
  createdAt!: Date;
}

export const { Connection: RuleConnection } = connectionOf('Rule', () => Rule);

@ArgsType()
class OrganizationRulesArguments extends PageArguments {
  @Field(() => [RuleAction], { ...optional, description: 'Only rules that allow one of these actions.' })
  action?: string[] | null;

  @Field(() => RuleOrder, { ...optional, defaultValue: RuleOrder.RECENTLY_CREATED, description: 'Order of the rules.' })
  order?: string | null;

  @Field(() => ID, {
    ...optional,
    description: 'Only rules whose source is the pipeline with this GraphQL ID or UUID.',
  })
  sourceId?: string | null;

  @Field(() => [RuleSourceType], {
    ...optional,
    description: 'Only rules with a source of one of these types; every source is a pipeline.',
  })
  sourceType?: string[] | null;

  @Field(() => ID, {
    ...optional,
    description: 'Only rules whose target is the pipeline with this GraphQL ID or UUID.',
  })
  targetId?: string | null;

  @Field(() => [RuleTargetType], {
    ...optional,
    description: 'Only rules with a target of one of these types; every target is a pipeline.',
  })
  targetType?: string[] | null;
}

@Resolver(() => Rule)
export class RuleResolver {
  @Query(() => Rule, { ...optional, description: 'A rule by its UUID, for administrators; null if absent or hidden.' })
  async rule(
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the rule.' }) uuid: string,
  ): Promise<RuleRow | null> {
    return (await context.find(getRule, { rule: { id: uuidOf(uuid, ['Rule']) } }))?.rule ?? null;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the rule; null if no user did.' })
  createdBy(@Root() rule: RuleRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, rule.createdById);
  }

  @FieldResolver(() => String, { ...optional, description: 'Type and value of the rule as a JSON document.' })
  document(@Root() rule: RuleRow): string {
    return JSON.stringify(
      {
        rule: typeOfAction(rule.action),
        value: {
          source_pipeline: rule.sourcePipelineId,
          target_pipeline: rule.targetPipelineId,
          ...(rule.conditions.length > 0 ? { conditions: rule.conditions } : {}),
        },
      },
      null,
      2,
    );
  }

  @FieldResolver(() => RuleEffect, { ...optional, description: 'Effect of the rule: always `ALLOW`.' })
  effect(): string {
    return RuleEffect.ALLOW;
  }

  @FieldResolver(() => Organization, { ...optional, description: 'Organization that the rule belongs to.' })
  organization(@Root() rule: RuleRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(rule.organizationId);
  }

  @FieldResolver(() => RuleSource, {
    ...optional,
    description: 'Pipeline that may act; null if the viewer may not see it.',
  })
  source(@Root() rule: RuleRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_pipelines', context.references.pipeline, rule.sourcePipelineId, info);
  }

  @FieldResolver(() => RuleSourceType, { ...optional, description: 'Type of the source: always `PIPELINE`.' })
  sourceType(): string {
    return RuleSourceType.PIPELINE;
  }

  @FieldResolver(() => RuleTarget, {
    ...optional,
    description: 'Pipeline that the source may act on; null if the viewer may not see it.',
  })
  target(@Root() rule: RuleRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_pipelines', context.references.pipeline, rule.targetPipelineId, info);
  }

  @FieldResolver(() => RuleTargetType, { ...optional, description: 'Type of the target: always `PIPELINE`.' })
  targetType(): string {
    return RuleTargetType.PIPELINE;
  }

  @FieldResolver(() => String, {
    description: 'Type of the rule: `pipeline.trigger_build.pipeline` or `pipeline.artifacts_read.pipeline`.',
  })
  type(@Root() rule: RuleRow): string {
    return typeOfAction(rule.action);
  }
}

@Resolver(() => Organization)
export class OrganizationRulesResolver {
  @ReadBy(listRules)
  @FieldResolver(() => RuleConnection, {
    ...optional,
    description: 'Rules of the organization, newest first, for administrators.',
  })
  async rules(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationRulesArguments) args: OrganizationRulesArguments,
  ) {
    const { action, sourceId, targetId } = args;
    return connectionValue(
      await context.performInBatch(
        listRules,
        { organization: { id: organization.id } },
        { actions: action, source: sourceId, target: targetId, paging: stretchOf(args) },
      ),
    );
  }
}
