import {
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import type { Place } from './collected-errors.js';
import { completionOf, leafOf, type Planning, Unplanned, type WriteObject } from './complete.js';
import { LookAhead } from './look-ahead.js';
import { sizeOfKeys } from './reply-size.js';
import type { DirectResolvers } from './resolvers.js';
import { type Complete, fail, type Field, infoOf, isPromise, placeOf, type Run } from './run.js';

/** Writes one field of an object: its value in the reply, or a promise of it. Throws if the object has to fail. */
type WriteField = (run: Run, source: unknown, place: Place | undefined) => unknown;

/** What a plan is made for: `variables` decide only which selections @skip and @include leave. */
export interface PlannedOperation {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
}

/** How large plans may be, in fields and objects: nested fragments and unions multiply. */
export const largestPlan = 5_000;

/** A planned query. */
export interface QueryPlan {
  /** Writes the data of the reply, or a promise of it. */
  write: WriteObject;
  /** Number of fields and objects. */
  size: number;
}

/**
 * Plans a query: a function that writes its reply, in which everything that the document and the schema decide is
 * decided. The rules are those of graphql-js, the errors and the order of fields too. Throws {@link Unplanned}.
 */
export function planQuery(planned: PlannedOperation, resolvers: DirectResolvers): QueryPlan {
  const root = planned.schema.getQueryType();
  if (!root || planned.operation.operation !== 'query') throw new Unplanned('no query');
  const plan = new Plan(planned, resolvers);
  return { write: plan.root(root), size: plan.size };
}

class Plan implements Planning {
  readonly schema: GraphQLSchema;
  size = 0;
  private readonly lookAhead: LookAhead;

  constructor(
    private readonly planned: PlannedOperation,
    readonly resolvers: DirectResolvers,
  ) {
    this.schema = planned.schema;
    this.lookAhead = new LookAhead(planned, resolvers);
  }

  root(type: GraphQLObjectType): WriteObject {
    const { fragments, variables, operation } = this.planned;
    return this.object(type, collectFields(this.schema, fragments, variables, type, operation.selectionSet));
  }

  objectOf(field: Field, type: GraphQLObjectType): WriteObject {
    const { fragments, variables } = this.planned;
    return this.object(type, collectSubfields(this.schema, fragments, variables, type, field.nodes));
  }

  private object(type: GraphQLObjectType, selected: ReadonlyMap<string, readonly FieldNode[]>): WriteObject {
    this.grow();
    if (type.isTypeOf) throw new Unplanned('a type that looks at its values');
    const keys: string[] = [];
    const writers: WriteField[] = [];
    for (const [key, nodes] of selected) {
      // An object of the reply cannot have this key among its own unless it is made in another way.
      if (key === '__proto__') throw new Unplanned(key);
      keys.push(key);
      writers.push(this.writer(type, key, nodes));
    }
    return objectWriter(keys, writers);
  }

  private writer(parentType: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): WriteField {
    this.grow();
    const name = nodes[0]?.name.value ?? '';
    if (name === TypeNameMetaFieldDef.name) return () => parentType.name;
    const definition = parentType.getFields()[name];
    // Introspection.
    if (!definition) throw new Unplanned(name);
    const field: Field = { key, nodes, parentType, definition, isNonNull: isNonNullType(definition.type) };
    const direct = this.resolvers.field(parentType, name);
    const complete = completionOf(this, field, definition.type);
    const type = getNamedType(definition.type);
    if (isObjectType(type) && type.name.endsWith('Connection')) this.lookAhead.offer(nodes, type);
    if (direct?.kind === 'property') return property(field, direct.name, complete);
    if (direct && definition.args.length === 0)
      return resolved(field, complete, (run, source, place) => {
        // The wrapper would make an object of a class of such a value.
        if (!(source instanceof Object))
          return definition.resolve?.(source, {}, run.context, infoOf(run, field, place));
        return direct.call(source, run.context, direct.takesInfo ? infoOf(run, field, place) : null);
      });
    const { resolve } = definition;
    if (!resolve) throw new Unplanned(name);
    return resolved(field, complete, (run, source, place) => {
      const args = getArgumentValues(definition, nodes[0] as FieldNode, run.variables);
      return resolve(source, args, run.context, infoOf(run, field, place));
    });
  }

  private grow(): void {
    this.size += 1;
    if (this.size > largestPlan) throw new Unplanned('too large');
  }
}

/** A property of the parent. Most of them are texts, numbers and times that need nothing else. */
function property(field: Field, name: string, complete: Complete): WriteField {
  const { definition, isNonNull } = field;
  const type = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  const general = resolved(field, complete, (_run, source) => (source as Record<string, unknown>)[name]);
  if (!isLeafType(type)) return general;
  const write = leafOf(type);
  return (run, source, parent) => {
    try {
      const value = (source as Record<string, unknown>)[name];
      if (value === null || value === undefined) {
        if (!isNonNull) return null;
      } else if (!(value instanceof Error) && !isPromise(value)) {
        const written = write(value);
        run.size.addLeaf(written);
        return written;
      }
    } catch (error) {
      return fail(run, field, isNonNull, error, placeOf(field, parent));
    }
    return general(run, source, parent);
  };
}

/** A field whose value a function gives, perhaps later. */
function resolved(
  field: Field,
  complete: Complete,
  resolve: (run: Run, source: unknown, place: Place) => unknown,
): WriteField {
  const { isNonNull } = field;
  // Apart from the function below, which is called a thousand times for each time that one of these is.
  const later = (run: Run, value: Promise<unknown>, place: Place) => value.then((given) => complete(run, given, place));
  const orFailed = (run: Run, completed: Promise<unknown>, place: Place) =>
    completed.then(undefined, (error: unknown) => fail(run, field, isNonNull, error, place));
  return (run, source, parent) => {
    const place = placeOf(field, parent);
    try {
      run.size.check();
      const value = resolve(run, source, place);
      const completed = isPromise(value) ? later(run, value, place) : complete(run, value, place);
      return isPromise(completed) ? orFailed(run, completed, place) : completed;
    } catch (error) {
      return fail(run, field, isNonNull, error, place);
    }
  };
}

function objectWriter(keys: readonly string[], writers: readonly WriteField[]): WriteObject {
  const length = writers.length;
  // A copy of an object with all keys has its final size, one that gets them one by one is enlarged again and again.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(keys.map((key) => [key, null]));
  const keysSize = sizeOfKeys(keys);
  return (run, source, place) => {
    run.size.add(keysSize);
    const written = { ...empty };
    let pending: string[] | null = null;
    try {
      for (let index = 0; index < length; index += 1) {
        const key = keys[index] as string;
        const value = (writers[index] as WriteField)(run, source, place);
        written[key] = value;
        if (isPromise(value)) (pending ??= []).push(key);
      }
    } catch (error) {
      if (pending === null) throw error;
      // The promises of the other fields may be rejected too.
      return settled(written, pending).finally(() => {
        throw error;
      });
    }
    return pending === null ? written : settled(written, pending);
  };
}

async function settled(written: Record<string, unknown>, pending: readonly string[]): Promise<Record<string, unknown>> {
  const values = await Promise.all(pending.map((key) => written[key]));
  for (const [index, key] of pending.entries()) written[key] = values[index];
  return written;
}

/** Names of the variables that @skip and @include of a document read. */
export function conditionVariables(
  nodes: Iterable<OperationDefinitionNode | FragmentDefinitionNode>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = ({ selectionSet }: Pick<FieldNode, 'selectionSet'>) => {
    for (const selection of selectionSet?.selections ?? []) {
      for (const directive of selection.directives ?? [])
        for (const { value } of directive.arguments ?? []) if (value.kind === 'Variable') names.add(value.name.value);
      if (selection.kind !== 'FragmentSpread') visit(selection);
    }
  };
  for (const node of nodes) visit(node);
  return names;
}
