import { Args, Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { maskedUrl, type WorkflowAction } from '../../domain/suites/workflows/action.js';
import { listTestWorkflowAlarms } from '../../operations/suites/workflows/list-alarms.js';
import { listTestWorkflowEvents } from '../../operations/suites/workflows/list-events.js';
import type { ShownWorkflow } from '../../resources/suites/workflows/find-workflow.js';
import { webUrls } from '../../services/web-urls.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteTestStates, TestMonitorTypes, TestWorkflowActionTypes } from '../enums.js';
import { Node } from '../nodes/node.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { optional } from '../server/options.js';
import { Suite } from './suite.js';
import { TestAlarmConnection, TestWorkflowEventConnection } from './test-workflow-event.js';

@ObjectType({ description: 'Monitor of a workflow: what it looks at, and when a test is in alarm.' })
class TestMonitor {
  @Field(() => TestMonitorTypes, { description: 'Kind of monitor.' })
  type!: string;

  @Field(() => String, { ...optional, description: 'Branches whose executions count; null for all.' })
  branch!: string | null;

  @Field(() => Int, {
    ...optional,
    description: 'Number of executions that it looks back on; null where that is no setting of it.',
  })
  window!: number | null;

  @Field(() => Float, {
    ...optional,
    description: 'Value at which, or above, a test is in alarm; null where that is no setting of the monitor.',
  })
  alarm!: number | null;

  @Field(() => Float, {
    ...optional,
    description: 'Value at which, or below, a test has recovered; null where that is no setting of the monitor.',
  })
  recover!: number | null;
}

@ObjectType({ description: 'Action of a workflow of a test suite.' })
class TestWorkflowAction {
  @Field(() => TestWorkflowActionTypes, { description: 'Kind of action.' })
  type!: string;

  @Field(() => String, { ...optional, description: 'Label that is added or removed.' })
  label!: string | null;

  @Field(() => SuiteTestStates, { ...optional, description: 'State that the test gets.' })
  state!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'URL of a webhook; its origin alone for viewers who may not edit the test suite.',
  })
  url!: string | null;

  @Field(() => String, { ...optional, description: 'Channel of Slack.' })
  channel!: string | null;

  @Field(() => String, { ...optional, description: 'Text in place of the usual one.' })
  message!: string | null;
}

@ObjectType({
  implements: Node,
  description: 'Workflow of a test suite: a monitor of its tests, and what is done on alarm and on recovery.',
})
export class TestWorkflow {
  @Field(() => String, { name: 'uuid', description: 'UUID of the workflow; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Name of the workflow.' })
  name!: string;

  @Field(() => Boolean, { description: 'Flag; whether the workflow looks at what is uploaded.' })
  enabled!: boolean;

  @Field(() => TestMonitor, { description: 'Monitor of the workflow.' })
  monitor!: TestMonitor;

  @Field(() => [String], { description: 'Tags of the executions that count, all of them, as `key:value`.' })
  tagFilters!: string[];

  @Field(() => DateTime, { description: 'Time the workflow was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time the workflow was changed last.' })
  updatedAt!: Date;
}

export const { Connection: TestWorkflowConnection } = connectionOf('TestWorkflow', () => TestWorkflow);

const shown = (actions: readonly WorkflowAction[], editable: boolean): WorkflowAction[] =>
  actions.map((action) => ({ ...action, url: action.url === null || editable ? action.url : maskedUrl(action.url) }));

@Resolver(() => TestWorkflow)
export class TestWorkflowResolver {
  @FieldResolver(() => [TestWorkflowAction], { description: 'Actions when a test gets into alarm.' })
  alarmActions(@Root() workflow: ShownWorkflow): WorkflowAction[] {
    return shown(workflow.alarmActions, workflow.editable);
  }

  @FieldResolver(() => [TestWorkflowAction], { description: 'Actions when a test in alarm has recovered.' })
  recoverActions(@Root() workflow: ShownWorkflow): WorkflowAction[] {
    return shown(workflow.recoverActions, workflow.editable);
  }

  @FieldResolver(() => TestAlarmConnection, {
    ...optional,
    description: 'Tests that are in alarm by the workflow, the latest alarm first.',
  })
  async alarms(
    @Root() { id }: ShownWorkflow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listTestWorkflowAlarms, { workflow: { id } }, { paging: stretchOf(args) }),
    );
  }

  @FieldResolver(() => TestWorkflowEventConnection, {
    ...optional,
    description: 'Events of the workflow, newest first.',
  })
  async events(
    @Root() { id }: ShownWorkflow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listTestWorkflowEvents, { workflow: { id } }, { paging: stretchOf(args) }),
    );
  }

  @FieldResolver(() => Suite, { description: 'Test suite of the workflow.' })
  suite(@Root() workflow: ShownWorkflow, @Ctx() context: GraphqlContext) {
    return context.load.suite.load(workflow.suiteId);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the workflow; null when unknown.' })
  createdBy(@Root() workflow: ShownWorkflow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, workflow.createdById);
  }

  @FieldResolver(() => String, { description: "URL of the workflow's page in the console." })
  async url(@Root() workflow: ShownWorkflow, @Ctx() context: GraphqlContext): Promise<string> {
    const [organization, suite] = await Promise.all([
      context.load.organization.load(workflow.organizationId),
      context.load.suite.load(workflow.suiteId),
    ]);
    return webUrls.testWorkflow(context.baseUrl, organization?.slug ?? '', suite?.slug ?? '', workflow.id);
  }
}
