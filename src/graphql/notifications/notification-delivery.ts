import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { NotificationDeliveryRow } from '../../entities/database.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';

@ObjectType({ description: 'An event on its way to an outgoing webhook.' })
export class NotificationDelivery {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: '`pending`, `delivered` or `failed`.' })
  state!: string;

  @Field(() => Int, { description: 'How often it was tried.' })
  attempts!: number;

  @Field(() => String, { name: 'receiverUrl', description: 'Where it is sent.' })
  url!: string;

  @Field(() => Int, { ...optional, description: 'The status of the last answer.' })
  responseStatus!: number | null;

  @Field(() => String, { ...optional, description: 'The start of the last answer.' })
  responseBody!: string | null;

  @Field(() => String, { ...optional, name: 'error', description: 'What the last try failed of.' })
  lastError!: string | null;

  @Field(() => Int, { ...optional, name: 'durationInMilliseconds' })
  durationMs!: number | null;

  @Field(() => ID, { ...optional, name: 'redeliveryOf', description: 'The delivery whose event is sent again.' })
  redeliveryOfId!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, optional)
  attemptedAt!: Date | null;

  @Field(() => DateTime, optional)
  deliveredAt!: Date | null;
}

export const { Connection: NotificationDeliveryConnection } = connectionOf('NotificationDelivery', () => NotificationDelivery);

@Resolver(() => NotificationDelivery)
export class NotificationDeliveryResolver {
  @FieldResolver(() => String, { description: 'The event, such as `build.finished`.' })
  async event(@Root() delivery: NotificationDeliveryRow, @Ctx() context: GraphqlContext): Promise<string> {
    return (await context.load.notification.load(delivery.notificationId))?.event ?? '';
  }

  @FieldResolver(() => DateTime, { ...optional, description: 'When it is tried next; null once it ended.' })
  nextAttemptAt(@Root() delivery: NotificationDeliveryRow): Date | null {
    return delivery.state === 'pending' ? delivery.nextAttemptAt : null;
  }

  @FieldResolver(() => JsonText, { ...optional, description: 'What is sent, as it was when the event happened.' })
  async payload(@Root() delivery: NotificationDeliveryRow, @Ctx() context: GraphqlContext): Promise<unknown> {
    const notification = await context.load.notification.load(delivery.notificationId);
    return notification ? (JSON.parse(notification.payload) as unknown) : null;
  }
}
