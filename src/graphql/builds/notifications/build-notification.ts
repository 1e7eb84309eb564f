import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { ShownBuildRow } from '../../../entities/database.js';
import { listBuildNotifications } from '../../../operations/builds/notifications/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { Build } from '../build.js';

@ObjectType({ description: 'Outcome of a `notify` entry of a build, or of one of its steps, at one moment.' })
export class BuildNotification {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the row.' })
  id!: string;

  @Field(() => ID, {
    ...optional,
    name: 'stepUuid',
    description: 'UUID of the step whose entry it is; null for an entry of the build.',
  })
  stepId!: string | null;

  @Field(() => String, { name: 'kind', description: 'Word of the entry, such as `slack`.' })
  channel!: string;

  @Field(() => String, { description: 'Receiver of the entry; keys and URLs in part.' })
  target!: string;

  @Field(() => String, { ...optional, description: 'Condition (`if`) of the entry.' })
  condition!: string | null;

  @Field(() => String, { description: 'Event at which the entry was looked at, such as `build.finished`.' })
  event!: string;

  @Field(() => String, { description: 'Outcome, such as `sent`: the outcomes of the REST API.' })
  outcome!: string;

  @Field(() => String, { ...optional, description: "Values of the condition, or the receiver's words." })
  detail!: string | null;

  @Field(() => DateTime, { description: 'Time of the event.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time the outcome last changed.' })
  updatedAt!: Date;
}

export const { Connection: BuildNotificationConnection } = connectionOf('BuildNotification', () => BuildNotification);

@Resolver(() => Build)
export class NotificationsOfBuildResolver {
  @FieldResolver(() => BuildNotificationConnection, {
    ...optional,
    description: 'Outcomes of the `notify` entries of the build and its steps, newest first.',
  })
  async notifications(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    const input = { paging: stretchOf(args) };
    return connectionValue(await context.performInBatch(listBuildNotifications, { build: { id: build.id } }, input));
  }
}
