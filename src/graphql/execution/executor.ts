import {
  assertValidSchema,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FragmentDefinitionNode,
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { getHeapStatistics } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { graphqlMemoryBytes } from '../../domain/limits/memory-bounds.js';
import type { MemoryUse } from '../../services/memory-uses.js';
import { documentBytes } from '../server/document-memory.js';
import { Unplanned } from './complete.js';
import type { KeptText } from './kept-text.js';
import { executeCounted } from './counted-execution.js';
import { conditionVariables, planQuery, type QueryPlan } from './plan.js';
import { ReplySize, ReplyTooLarge, resultOf } from './reply-size.js';
import type { DirectResolvers } from './resolvers.js';
import { isPromise, Run } from './run.js';

/** An operation of a validated document. */
export interface Execution {
  document: DocumentNode;
  /** Identifies the text of the document. */
  documentHash: string;
  /** The operation to execute; absent if the name fits none. */
  operation: OperationDefinitionNode | undefined;
  operationName: string | null | undefined;
  variables: Record<string, unknown> | undefined;
  context: unknown;
  /** Its data, where it was carried out before and nothing that it reads has changed. */
  kept?: KeptText | undefined;
}

/** Upper estimates: bytes of a field or an object of a plan, and of the objects around a plan. */
const bytesOfField = 2_000;
const overheadOfPlan = 1_000;

interface Kept {
  /** Null for an operation that plans do not cover. */
  plan: QueryPlan | null;
  /** Size of the entry with its document, which the plan contains. */
  bytes: number;
}

/**
 * Executes operations on a schema: queries by plans, which are kept by document, operation and conditions; everything
 * else, and what plans do not cover, by graphql-js. Results are the same in either way.
 */
export class Executor {
  private readonly plans: LRUCache<string, Kept>;
  private readonly conditions = new WeakMap<DocumentNode, readonly string[]>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly resolvers: DirectResolvers,
    /** Characters that a reply may have. */
    private readonly mostCharacters: () => number = () => Infinity,
    /** Bytes of the plans that are kept. */
    planBytes: number = graphqlMemoryBytes(getHeapStatistics().heap_size_limit).graphql_plans,
  ) {
    assertValidSchema(schema);
    this.plans = new LRUCache({
      maxSize: planBytes,
      sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length,
    });
  }

  /** Bytes of the plans that are kept, and bytes that they may have. */
  use(): MemoryUse {
    return { bytes: this.plans.calculatedSize, budget: this.plans.maxSize };
  }

  async execute(execution: Execution): Promise<ExecutionResult> {
    if (execution.kept) return { data: execution.kept as unknown as Record<string, unknown> };
    const planned = this.planned(execution);
    if (!planned) return this.executeUnplanned(execution);
    if ('errors' in planned) return planned;
    const { run, plan } = planned;
    try {
      const written = plan.write(run, undefined, undefined);
      const data = (isPromise(written) ? await written : written) as Record<string, unknown>;
      const { errors } = run.collected;
      return errors.length === 0 ? { data } : { errors, data };
    } catch (error) {
      if (error instanceof ReplyTooLarge) return resultOf(error);
      run.collected.add(error as GraphQLError, undefined);
      return { errors: run.collected.errors, data: null };
    }
  }

  /** Executes an operation field by field. */
  async executeUnplanned({
    document,
    operation,
    operationName,
    variables,
    context,
  }: Execution): Promise<ExecutionResult> {
    const isMutation = operation?.operation === 'mutation';
    // What a mutation has changed it says, with errors at the fields that have no room: the other half is theirs.
    const most = this.mostCharacters() / (isMutation ? 2 : 1);
    const size = new ReplySize(most);
    const result = await executeCounted(context, size, () =>
      execute({ schema: this.schema, document, operationName, variableValues: variables, contextValue: context }),
    );
    return size.isExceeded && !isMutation ? resultOf(new ReplyTooLarge(most)) : result;
  }

  /** Whether {@link execute} has a plan for an operation. */
  covers(execution: Execution): boolean {
    return this.planned(execution) !== null;
  }

  private planned(execution: Execution): { run: Run; plan: QueryPlan } | { errors: readonly GraphQLError[] } | null {
    const { operation, document, documentHash, variables: given, context } = execution;
    if (operation?.operation !== 'query') return null;
    const { errors, coerced: variables } = getVariableValues(
      this.schema,
      operation.variableDefinitions ?? [],
      given ?? {},
      { maxErrors: 50 },
    );
    if (errors) return { errors };
    const fragments = fragmentsOf(document);
    const conditions = this.conditionsOf(document).map((name) => variables[name] ?? null);
    const key = JSON.stringify([documentHash, operation.name?.value ?? null, conditions]);
    let kept = this.plans.get(key);
    if (!kept) {
      const plan = this.planOf({ schema: this.schema, operation, fragments, variables });
      const bytes = overheadOfPlan + (plan ? documentBytes(document) + bytesOfField * plan.size : 0);
      kept = { plan, bytes };
      this.plans.set(key, kept);
    }
    const { plan } = kept;
    const size = new ReplySize(this.mostCharacters());
    return (
      plan && {
        plan,
        run: new Run(this.schema, operation, fragments, variables, context, size),
      }
    );
  }

  private planOf(planned: Parameters<typeof planQuery>[0]): QueryPlan | null {
    try {
      return planQuery(planned, this.resolvers);
    } catch (error) {
      if (error instanceof Unplanned) return null;
      throw error;
    }
  }

  /** Names of the variables on which it depends what is selected. */
  private conditionsOf(document: DocumentNode): readonly string[] {
    let names = this.conditions.get(document);
    if (!names) {
      const nodes = document.definitions.filter(
        (each) => each.kind === Kind.OPERATION_DEFINITION || each.kind === Kind.FRAGMENT_DEFINITION,
      );
      this.conditions.set(document, (names = [...conditionVariables(nodes)]));
    }
    return names;
  }
}

function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments[each.name.value] = each;
  return fragments;
}
