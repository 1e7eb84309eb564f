import { Arg, Ctx, Field, Float, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createTestWorkflow } from '../../operations/suites/workflows/create.js';
import { deleteTestWorkflow } from '../../operations/suites/workflows/delete.js';
import { redeliverTestWorkflowEvent } from '../../operations/suites/workflows/redeliver.js';
import { updateTestWorkflow } from '../../operations/suites/workflows/update.js';
import type { GraphqlContext } from '../context.js';
import { SuiteTestStates, TestMonitorTypes, TestWorkflowActionTypes } from '../enums.js';
import { NotificationDelivery } from '../integrations/notifications/notification-delivery.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { Suite } from './suite.js';
import { TestAlarmResolver, TestWorkflowEventResolver } from './test-workflow-event.js';
import { TestWorkflow, TestWorkflowResolver } from './test-workflow.js';
import { WorkflowsOfSuiteResolver } from './workflows-of-suite.js';

@InputType({ description: 'Monitor of a workflow.' })
class TestMonitorInput {
  @Field(() => TestMonitorTypes, { description: 'Kind of monitor.' })
  type!: string;

  @Field(() => String, { ...optional, description: 'Branches whose executions count; all if it is absent.' })
  branch?: string | null;

  @Field(() => Int, { ...optional, description: 'Number of executions that it looks back on.' })
  window?: number | null;

  @Field(() => Float, { ...optional, description: 'Value at which, or above, a test is in alarm.' })
  alarm?: number | null;

  @Field(() => Float, { ...optional, description: 'Value at which, or below, a test in alarm has recovered.' })
  recover?: number | null;
}

@InputType({ description: 'Action of a workflow.' })
class TestWorkflowActionInput {
  @Field(() => TestWorkflowActionTypes, { description: 'Kind of action.' })
  type!: string;

  @Field(() => String, { ...optional, description: 'Label to add or remove.' })
  label?: string | null;

  @Field(() => SuiteTestStates, { ...optional, description: 'State that the test gets.' })
  state?: string | null;

  @Field(() => String, { ...optional, description: 'URL of a webhook.' })
  url?: string | null;

  @Field(() => String, { ...optional, description: 'Channel of Slack.' })
  channel?: string | null;

  @Field(() => String, { ...optional, description: 'Text in place of the usual one: Slack.' })
  message?: string | null;
}

@InputType({ description: 'Input of `suiteWorkflowCreate`.' })
class SuiteWorkflowCreateInput extends IdInput {
  @Field(() => String, { description: 'Name of the workflow.' })
  name!: string;

  @Field(() => Boolean, { ...optional, description: 'Flag; whether the workflow is enabled, as it is by default.' })
  enabled?: boolean | null;

  @Field(() => TestMonitorInput, { description: 'Monitor of the workflow.' })
  monitor!: TestMonitorInput;

  @Field(() => [String], { ...optional, description: 'Tags of the executions that count, as `key:value`.' })
  tagFilters?: string[] | null;

  @Field(() => [TestWorkflowActionInput], { ...optional, description: 'Actions when a test gets into alarm.' })
  alarmActions?: TestWorkflowActionInput[] | null;

  @Field(() => [TestWorkflowActionInput], { ...optional, description: 'Actions when a test has recovered.' })
  recoverActions?: TestWorkflowActionInput[] | null;
}

@InputType({ description: 'Input of `suiteWorkflowUpdate`.' })
class SuiteWorkflowUpdateInput extends IdInput {
  @Field(() => String, { ...optional, description: 'New name of the workflow.' })
  name?: string | null;

  @Field(() => Boolean, { ...optional, description: 'Flag; whether the workflow looks at what is uploaded.' })
  enabled?: boolean | null;

  @Field(() => TestMonitorInput, { ...optional, description: 'New monitor of the workflow, which begins anew.' })
  monitor?: TestMonitorInput | null;

  @Field(() => [String], { ...optional, description: 'New tag filters of the workflow, which begins anew.' })
  tagFilters?: string[] | null;

  @Field(() => [TestWorkflowActionInput], { ...optional, description: 'Actions when a test gets into alarm.' })
  alarmActions?: TestWorkflowActionInput[] | null;

  @Field(() => [TestWorkflowActionInput], { ...optional, description: 'Actions when a test has recovered.' })
  recoverActions?: TestWorkflowActionInput[] | null;
}

@InputType({ description: 'Input of `suiteWorkflowDelete`.' })
class SuiteWorkflowDeleteInput extends IdInput {}

@InputType({ description: 'Input of `suiteWorkflowRedeliver`.' })
class SuiteWorkflowRedeliverInput extends IdInput {
  @Field(() => ID, { description: 'UUID of the event of the workflow.' })
  event!: string;

  @Field(() => ID, { description: 'UUID of the delivery to repeat.' })
  delivery!: string;
}

@ObjectType({ description: 'Result of `suiteWorkflowCreate`.' })
class SuiteWorkflowCreatePayload extends MutationPayload {
  @Field(() => TestWorkflow, { description: 'New workflow.' })
  workflow!: unknown;

  @Field(() => Suite, { description: 'Test suite of the workflow.' })
  suite!: unknown;
}

@ObjectType({ description: 'Result of `suiteWorkflowUpdate`.' })
class SuiteWorkflowUpdatePayload extends MutationPayload {
  @Field(() => TestWorkflow, { description: 'Workflow after the change.' })
  workflow!: unknown;
}

@ObjectType({ description: 'Result of `suiteWorkflowDelete`.' })
class SuiteWorkflowDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted workflow.' })
  deletedWorkflowID!: string;

  @Field(() => Suite, { description: 'Test suite of the deleted workflow.' })
  suite!: unknown;
}

@ObjectType({ description: 'Result of `suiteWorkflowRedeliver`.' })
class SuiteWorkflowRedeliverPayload extends MutationPayload {
  @Field(() => NotificationDelivery, { description: 'New delivery.' })
  delivery!: unknown;
}

const addressOf = (id: string) => ({ workflow: { id: uuidOf(id, ['TestWorkflow']) } });

@Resolver()
class TestWorkflowMutations {
  @Mutation(() => SuiteWorkflowCreatePayload, { ...optional, description: 'Creates a workflow of a test suite.' })
  async suiteWorkflowCreate(
    @Arg('input', () => SuiteWorkflowCreateInput, { description: 'Test suite, and fields of the new workflow.' })
    { id, ...input }: SuiteWorkflowCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { name, enabled, monitor, tagFilters, alarmActions, recoverActions } = input;
    const fields = { name, enabled, monitor, tagFilters, alarmActions, recoverActions };
    const parent = { suite: { id: uuidOf(id, ['Suite']) } };
    const { workflow, suite } = await context.command(createTestWorkflow, { ...parent, ...fields });
    return payload(input, { workflow, suite });
  }

  @Mutation(() => SuiteWorkflowUpdatePayload, { ...optional, description: 'Updates a workflow of a test suite.' })
  async suiteWorkflowUpdate(
    @Arg('input', () => SuiteWorkflowUpdateInput, { description: 'Workflow and its new values.' })
    input: SuiteWorkflowUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { workflow } = await context.command(updateTestWorkflow, {
      ...addressOf(input.id),
      name: input.name ?? undefined,
      enabled: input.enabled ?? undefined,
      monitor: input.monitor ?? undefined,
      tagFilters: input.tagFilters ?? undefined,
      alarmActions: input.alarmActions ?? undefined,
      recoverActions: input.recoverActions ?? undefined,
    });
    return payload(input, { workflow });
  }

  @Mutation(() => SuiteWorkflowDeletePayload, { ...optional, description: 'Deletes a workflow of a test suite.' })
  async suiteWorkflowDelete(
    @Arg('input', () => SuiteWorkflowDeleteInput, { description: 'Workflow to delete.' })
    input: SuiteWorkflowDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { workflow, suite } = await context.command(deleteTestWorkflow, addressOf(input.id));
    return payload(input, { deletedWorkflowID: encodeNodeId('TestWorkflow', workflow.id), suite });
  }

  @Mutation(() => SuiteWorkflowRedeliverPayload, {
    ...optional,
    description: 'Sends a webhook or message of an event of a workflow again.',
  })
  async suiteWorkflowRedeliver(
    @Arg('input', () => SuiteWorkflowRedeliverInput, { description: 'Workflow, event and delivery.' })
    input: SuiteWorkflowRedeliverInput,
    @Ctx() context: GraphqlContext,
  ) {
    const address = { ...addressOf(input.id), workflowEvent: input.event, id: input.delivery };
    const { delivery } = await context.command(redeliverTestWorkflowEvent, address);
    return payload(input, { delivery });
  }
}

/** Resolvers of the workflows of test suites. */
export const testWorkflowResolvers = [
  WorkflowsOfSuiteResolver,
  TestWorkflowResolver,
  TestWorkflowEventResolver,
  TestAlarmResolver,
  TestWorkflowMutations,
] as const;
