import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { SuiteRow } from '../../entities/database.js';
import { getTestWorkflow } from '../../operations/suites/workflows/get.js';
import { listTestWorkflows } from '../../operations/suites/workflows/list.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { Suite } from './suite.js';
import { TestWorkflow, TestWorkflowConnection } from './test-workflow.js';

@Resolver(() => Suite)
export class WorkflowsOfSuiteResolver {
  @FieldResolver(() => TestWorkflow, {
    ...optional,
    description: 'Workflow of the test suite by its GraphQL ID or UUID; null when the workflow is absent.',
  })
  async workflow(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: 'GraphQL ID or UUID of the workflow.' }) id: string,
  ) {
    const output = await context.findInBatch(getTestWorkflow, { workflow: { id: uuidOf(id, ['TestWorkflow']) } });
    return output?.workflow.suiteId === suite.id ? output.workflow : null;
  }

  @FieldResolver(() => TestWorkflowConnection, {
    ...optional,
    description: 'Workflows of the test suite, newest first.',
  })
  async workflows(
    @Root() suite: SuiteRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listTestWorkflows, { suite: { id: suite.id } }, { paging: stretchOf(args) }),
    );
  }
}
