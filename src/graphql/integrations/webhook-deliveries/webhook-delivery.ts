import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, ID, Info, ObjectType, Resolver, Root } from 'type-graphql';
import type { EventDecision } from '../../../domain/integrations/webhook-deliveries/event-decision.js';
import type { WebhookDeliveryRow } from '../../../entities/database.js';
import { getDelivery } from '../../../operations/integrations/webhook-deliveries/get.js';
import type { ListedDelivery } from '../../../operations/integrations/webhook-deliveries/list.js';
import { Build } from '../../builds/build.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';
import { JsonText } from '../../scalars/json.js';

@ObjectType({ description: 'Result of one build filter for an event.' })
export class WebhookRule {
  @Field(() => String, { description: 'Provider setting that the filter reads, or a name of the filter.' })
  rule!: string;

  @Field(() => String, { description: 'Outcome: `pass` or `stop`.' })
  outcome!: string;

  @Field(() => String, { description: 'Reason for the outcome as a sentence.' })
  reason!: string;
}

@ObjectType({ description: 'A person as the delivery names them.' })
export class WebhookPerson {
  @Field(() => String, { ...optional, description: 'Name of the person; null if absent from the delivery.' })
  name!: string | null;

  @Field(() => String, { ...optional, description: 'E-mail address of the person; null if absent from the delivery.' })
  email!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'User name at the source provider; null if absent from the delivery.',
  })
  username!: string | null;
}

@ObjectType({ description: 'The pull request of a delivery.' })
export class WebhookPullRequest {
  @Field(() => String, { name: 'id', description: 'Number of the pull request at the source provider.' })
  number!: string;

  @Field(() => String, { ...optional, description: 'Title of the pull request; null if absent from the delivery.' })
  title!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Branch that the pull request merges into; null if absent from the delivery.',
  })
  baseBranch!: string | null;

  @Field(() => Boolean, { description: 'Whether the pull request comes from a fork.' })
  fork!: boolean;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether the pull request is a draft; null if absent from the delivery.',
  })
  draft!: boolean | null;

  @Field(() => [String], { description: 'Labels of the pull request.' })
  labels!: string[];
}

@ObjectType({ description: 'Decision whether one event of a delivery creates or cancels builds.' })
export class WebhookDecision {
  @Field(() => String, { description: 'Kind of event, such as `push` or `pull_request`.' })
  kind!: string;

  @Field(() => String, {
    ...optional,
    description: 'Action within the kind of event, such as `opened`; null without one.',
  })
  action!: string | null;

  @Field(() => String, { ...optional, description: 'Repository of the event; null if absent from the delivery.' })
  repository!: string | null;

  @Field(() => String, { ...optional, description: 'Branch of the event; null without one.' })
  branch!: string | null;

  @Field(() => String, { ...optional, description: 'Tag of the event; null without one.' })
  tag!: string | null;

  @Field(() => String, { ...optional, description: 'Commit SHA of the event; null without one.' })
  commit!: string | null;

  @Field(() => String, { ...optional, description: 'Commit message of the event; null without one.' })
  message!: string | null;

  @Field(() => WebhookPerson, { ...optional, description: 'Author of the commit; null if absent from the delivery.' })
  author!: WebhookPerson | null;

  @Field(() => WebhookPullRequest, { ...optional, description: 'Pull request of the event; null without one.' })
  pullRequest!: WebhookPullRequest | null;

  @Field(() => String, { description: 'Outcome: `build`, `cancel`, `ignore` or `failed`.' })
  outcome!: string;

  @Field(() => String, { description: 'Reason for the outcome as a sentence.' })
  reason!: string;

  @Field(() => [WebhookRule], { description: 'Build filters that apply, in order of evaluation.' })
  rules!: WebhookRule[];

  @Field(() => [ID], { description: 'UUIDs of the builds that were canceled.' })
  canceledBuildIds!: string[];
}

@Resolver(() => WebhookDecision)
export class WebhookDecisionResolver {
  @FieldResolver(() => Build, {
    ...optional,
    description: 'Build that was created; null if none was or the viewer may not see it.',
  })
  build(@Root() decision: EventDecision, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_builds', context.references.build, decision.buildId, info);
  }
}

@ObjectType({ description: 'Decisions that a delivery would lead to.' })
export class WebhookPreview {
  @Field(() => String, { name: 'provider', description: 'Provider whose format the payload has.' })
  sender!: string;

  @Field(() => String, { description: "Name of the event as in the provider's event header." })
  event!: string;

  @Field(() => String, { description: 'Outcome: `build`, `cancel`, `ignore` or `failed`.' })
  outcome!: string;

  @Field(() => String, { description: 'Reason for the outcome as a sentence.' })
  reason!: string;

  @Field(() => [WebhookDecision], { description: 'Decision for each event of the delivery.' })
  decisions!: WebhookDecision[];
}

@ObjectType({ description: 'A webhook delivery of a source provider to a pipeline, with the decisions it led to.' })
export class WebhookDelivery {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the delivery.' })
  id!: string;

  @Field(() => String, { description: 'ID of the delivery at the provider.' })
  deliveryId!: string;

  @Field(() => String, { name: 'provider', description: 'Provider that sent the delivery.' })
  sender!: string;

  @Field(() => String, { description: "Name of the event as in the provider's event header." })
  event!: string;

  @Field(() => String, {
    ...optional,
    description: 'Outcome: `build`, `cancel`, `ignore` or `failed`; null until processed.',
  })
  outcome!: string | null;

  @Field(() => String, { ...optional, description: 'Reason for the outcome as a sentence; null until processed.' })
  reason!: string | null;

  @Field(() => [String], { description: 'Request headers, each `Name: value`, without headers that carry secrets.' })
  headers!: string[];

  @Field(() => [WebhookDecision], { description: 'Decision for each event of the delivery.' })
  decisions!: WebhookDecision[];

  @Field(() => DateTime, { description: 'Time the delivery arrived.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the delivery was processed; null until then.' })
  processedAt!: Date | null;
}

export const { Connection: WebhookDeliveryConnection } = connectionOf('WebhookDelivery', () => WebhookDelivery);

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver(() => String, { description: 'State: `pending` or `processed`.' })
  state(@Root() delivery: ListedDelivery): string {
    return delivery.processedAt === null ? 'pending' : 'processed';
  }

  @FieldResolver(() => JsonText, {
    ...optional,
    description: 'Body of the delivery as JSON; null once it is no longer stored.',
  })
  async payload(
    @Root() delivery: ListedDelivery | WebhookDeliveryRow,
    @Ctx() context: GraphqlContext,
  ): Promise<unknown> {
    if ('payload' in delivery) return delivery.payload;
    const parent = { pipeline: { id: delivery.pipelineId }, id: delivery.id };
    return (await context.findInBatch(getDelivery, parent))?.delivery.payload ?? null;
  }
}
