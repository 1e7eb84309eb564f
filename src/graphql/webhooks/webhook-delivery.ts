import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { EventDecision } from '../../domain/delivery/event-decision.js';
import type { WebhookDeliveryRow } from '../../entities/database.js';
import { getDelivery } from '../../operations/webhook-deliveries/get.js';
import type { ListedDelivery } from '../../operations/webhook-deliveries/list.js';
import { Build } from '../builds/build.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';

@ObjectType({ description: 'What one rule said of an event.' })
export class WebhookRule {
  @Field(() => String, { description: 'The setting it is about, or a word for it.' })
  rule!: string;

  @Field(() => String, { description: 'pass or stop.' })
  outcome!: string;

  @Field(() => String)
  reason!: string;
}

@ObjectType({ description: 'A person as a delivery names one.' })
export class WebhookPerson {
  @Field(() => String, optional)
  name!: string | null;

  @Field(() => String, optional)
  email!: string | null;

  @Field(() => String, optional)
  username!: string | null;
}

@ObjectType({ description: 'The pull request that a delivery is about.' })
export class WebhookPullRequest {
  @Field(() => String, { name: 'id', description: 'Its number at the source provider.' })
  number!: string;

  @Field(() => String, optional)
  title!: string | null;

  @Field(() => String, optional)
  baseBranch!: string | null;

  @Field(() => Boolean)
  fork!: boolean;

  @Field(() => Boolean, optional)
  draft!: boolean | null;

  @Field(() => [String])
  labels!: string[];
}

@ObjectType({ description: 'The answer to why one event of a delivery did, or did not, make a build.' })
export class WebhookDecision {
  @Field(() => String)
  kind!: string;

  @Field(() => String, optional)
  action!: string | null;

  @Field(() => String, optional)
  repository!: string | null;

  @Field(() => String, optional)
  branch!: string | null;

  @Field(() => String, optional)
  tag!: string | null;

  @Field(() => String, optional)
  commit!: string | null;

  @Field(() => String, optional)
  message!: string | null;

  @Field(() => WebhookPerson, optional)
  author!: WebhookPerson | null;

  @Field(() => WebhookPullRequest, optional)
  pullRequest!: WebhookPullRequest | null;

  @Field(() => String, { description: 'build, cancel, ignore or failed.' })
  outcome!: string;

  @Field(() => String)
  reason!: string;

  @Field(() => [WebhookRule], { description: 'Every rule that applies, in the order they are asked.' })
  rules!: WebhookRule[];

  @Field(() => [ID], { description: 'Uuids of the builds that were canceled.' })
  canceledBuildIds!: string[];
}

@Resolver(() => WebhookDecision)
export class WebhookDecisionResolver {
  @FieldResolver(() => Build, { ...optional, description: 'The build that was made.' })
  build(@Root() decision: EventDecision, @Ctx() context: GraphqlContext) {
    return context.follow('read_builds', context.load.build, decision.buildId);
  }
}

@ObjectType({ description: 'What a delivery would do.' })
export class WebhookPreview {
  @Field(() => String, { name: 'provider' })
  sender!: string;

  @Field(() => String)
  event!: string;

  @Field(() => String)
  outcome!: string;

  @Field(() => String)
  reason!: string;

  @Field(() => [WebhookDecision])
  decisions!: WebhookDecision[];
}

@ObjectType({ description: 'What a source provider delivered to a pipeline, and what became of it.' })
export class WebhookDelivery {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'The provider\'s id of the delivery.' })
  deliveryId!: string;

  @Field(() => String, { name: 'provider' })
  sender!: string;

  @Field(() => String)
  event!: string;

  @Field(() => String, { ...optional, description: 'build, cancel, ignore or failed; null until it is processed.' })
  outcome!: string | null;

  @Field(() => String, optional)
  reason!: string | null;

  @Field(() => [String], { description: 'Headers, as `Name: value`, without those that carry secrets.' })
  headers!: string[];

  @Field(() => [WebhookDecision])
  decisions!: WebhookDecision[];

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, optional)
  processedAt!: Date | null;
}

export const { Connection: WebhookDeliveryConnection } = connectionOf('WebhookDelivery', () => WebhookDelivery);

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver(() => String, { description: 'pending or processed.' })
  state(@Root() delivery: ListedDelivery): string {
    return delivery.processedAt === null ? 'pending' : 'processed';
  }

  @FieldResolver(() => JsonText, { ...optional, description: 'The body; null once it is no longer kept.' })
  async payload(@Root() delivery: ListedDelivery | WebhookDeliveryRow, @Ctx() context: GraphqlContext): Promise<unknown> {
    if ('payload' in delivery) return delivery.payload;
    return (await context.find(getDelivery, { pipeline: { id: delivery.pipelineId }, id: delivery.id }))?.delivery.payload ?? null;
  }
}
