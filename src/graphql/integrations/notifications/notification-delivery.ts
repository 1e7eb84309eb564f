import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { NotificationDeliveryRow } from '../../../entities/database.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';
import { JsonText } from '../../scalars/json.js';

@ObjectType({ description: 'Delivery of an event to an outgoing webhook.' })
export class NotificationDelivery {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the delivery.' })
  id!: string;

  @Field(() => String, { description: 'State: `pending`, `delivered` or `failed`.' })
  state!: string;

  @Field(() => Int, { description: 'Number of attempts so far.' })
  attempts!: number;

  @Field(() => String, { name: 'receiverUrl', description: 'URL to which the event is sent.' })
  url!: string;

  @Field(() => Int, { ...optional, description: 'HTTP status of the last response; null without one.' })
  responseStatus!: number | null;

  @Field(() => String, { ...optional, description: 'Start of the last response body; null without one.' })
  responseBody!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Start of the last request without secrets; null for a webhook, whose request is the payload.',
  })
  requestBody!: string | null;

  @Field(() => String, {
    ...optional,
    name: 'error',
    description: 'Error of the last attempt; null if it succeeded or none was made.',
  })
  lastError!: string | null;

  @Field(() => Int, {
    ...optional,
    name: 'durationInMilliseconds',
    description: 'Duration of the last attempt in milliseconds; null before the first.',
  })
  durationMs!: number | null;

  @Field(() => ID, {
    ...optional,
    name: 'redeliveryOf',
    description: 'UUID of the delivery that this one repeats; null for an original delivery.',
  })
  redeliveryOfId!: string | null;

  @Field(() => DateTime, { description: 'Time the delivery was queued.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time of the last attempt; null before the first.' })
  attemptedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the receiver accepted the event; null until then.' })
  deliveredAt!: Date | null;
}

export const { Connection: NotificationDeliveryConnection } = connectionOf(
  'NotificationDelivery',
  () => NotificationDelivery,
);

@Resolver(() => NotificationDelivery)
export class NotificationDeliveryResolver {
  @FieldResolver(() => String, { description: 'Name of the event, such as `build.finished`.' })
  async event(@Root() delivery: NotificationDeliveryRow, @Ctx() context: GraphqlContext): Promise<string> {
    return (await context.load.notification.load(delivery.notificationId))?.event ?? '';
  }

  @FieldResolver(() => DateTime, {
    ...optional,
    description: 'Time of the next attempt; null unless the delivery is pending.',
  })
  nextAttemptAt(@Root() delivery: NotificationDeliveryRow): Date | null {
    return delivery.state === 'pending' ? delivery.nextAttemptAt : null;
  }

  @FieldResolver(() => JsonText, {
    ...optional,
    description: 'Request body as it was when the event happened; null once it is no longer stored.',
  })
  async payload(@Root() delivery: NotificationDeliveryRow, @Ctx() context: GraphqlContext): Promise<unknown> {
    const payload = await context.load.longTexts.notificationPayload.load(delivery.notificationId);
    return payload === null ? null : (JSON.parse(payload) as unknown);
  }
}
