import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import { CollectedErrors, type Place } from './collected-errors.js';
import { type ReplySize, ReplyTooLarge } from './reply-size.js';

/** One execution of an operation. */
export class Run {
  readonly collected = new CollectedErrors();

  constructor(
    readonly schema: GraphQLSchema,
    readonly operation: OperationDefinitionNode,
    readonly fragments: Record<string, FragmentDefinitionNode>,
    readonly variables: Record<string, unknown>,
    readonly context: unknown,
    /** What is in the reply so far. */
    readonly size: ReplySize,
  ) {}
}

/** A field of the operation, with everything about it that is the same for every parent. */
export interface Field {
  /** Name in the reply. */
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly isNonNull: boolean;
}

/** Makes the value in the reply of what a resolver returned, or a promise of it. Throws where the field has to fail. */
export type Complete = (run: Run, value: unknown, place: Place) => unknown;

/** `info` for a function of a field that wants it; `place` is that of the field, or of an item of its list. */
export function infoOf(run: Run, field: Field, place: Place): GraphQLResolveInfo {
  let path = place;
  while (typeof path.key === 'number' && path.prev) path = path.prev;
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parentType,
    path,
    schema: run.schema,
    fragments: run.fragments,
    rootValue: undefined,
    operation: run.operation,
    variableValues: run.variables,
  };
}

export const placeOf = (field: Field, parent: Place | undefined): Place => ({
  prev: parent,
  key: field.key,
  typename: field.parentType.name,
});

/** Fails a field, or an item of its list: null with an error beside it where null is allowed, else the parent fails. */
export function fail(run: Run, field: Field, isNonNull: boolean, raw: unknown, place: Place): null {
  // It fails the operation.
  if (raw instanceof ReplyTooLarge) throw raw;
  const error = locatedError(raw, field.nodes, pathOf(place));
  if (isNonNull) throw error;
  run.collected.add(error, place);
  return null;
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let each: Place | undefined = place; each !== undefined; each = each.prev) path.push(each.key);
  return path.reverse();
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function';
}
