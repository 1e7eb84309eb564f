import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { TestWorkflowEventRow } from '../../entities/database.js';
import { listTestWorkflowDeliveries } from '../../operations/suites/workflows/list-deliveries.js';
import type { TestAlarm as TestAlarmRow } from '../../operations/suites/workflows/list-alarms.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { TestWorkflowEvents } from '../enums.js';
import { NotificationDeliveryConnection } from '../integrations/notifications/notification-delivery.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';
import { optional } from '../server/options.js';
import { SuiteTest } from './suite-test.js';

@ObjectType({ description: 'Event of a workflow of a test suite: a test got into alarm, or recovered.' })
export class TestWorkflowEvent {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the event.' })
  id!: string;

  @Field(() => TestWorkflowEvents, { description: 'Kind of event: an alarm, or a recovery.' })
  event!: string;

  @Field(() => JsonText, { name: 'workflowEvent', description: 'Values that it came with, as webhooks get them.' })
  facts!: unknown;

  @Field(() => [String], { description: 'Reasons why actions did nothing, a sentence each.' })
  problems!: string[];

  @Field(() => DateTime, { description: 'Time of the event.' })
  createdAt!: Date;
}

export const { Connection: TestWorkflowEventConnection } = connectionOf('TestWorkflowEvent', () => TestWorkflowEvent);

@Resolver(() => TestWorkflowEvent)
export class TestWorkflowEventResolver {
  @FieldResolver(() => SuiteTest, { ...optional, description: 'Test that the event is about.' })
  test(@Root() event: TestWorkflowEventRow, @Ctx() context: GraphqlContext) {
    return context.load.suiteTest.load(event.testId);
  }

  @FieldResolver(() => NotificationDeliveryConnection, {
    ...optional,
    description: 'Webhooks and messages that the event sent, newest first, for viewers who may edit the test suite.',
  })
  async deliveries(
    @Root() { id, workflowId }: TestWorkflowEventRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listTestWorkflowDeliveries,
        { workflow: { id: workflowId }, workflowEvent: id },
        { paging: stretchOf(args) },
      ),
    );
  }
}

@ObjectType({ description: 'Test that is in alarm by a workflow of its test suite.' })
export class TestAlarm {
  @Field(() => ID, { name: 'eventUuid', description: 'UUID of the event of the alarm.' })
  id!: string;

  @Field(() => DateTime, { name: 'since', description: 'Time the test got into alarm.' })
  alarmAt!: Date;
}

export const { Connection: TestAlarmConnection } = connectionOf('TestAlarm', () => TestAlarm);

@Resolver(() => TestAlarm)
export class TestAlarmResolver {
  @FieldResolver(() => SuiteTest, { ...optional, description: 'Test that is in alarm.' })
  test(@Root() alarm: TestAlarmRow, @Ctx() context: GraphqlContext) {
    return context.load.suiteTest.load(alarm.testId);
  }
}
