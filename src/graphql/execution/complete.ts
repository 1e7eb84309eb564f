import {
  type GraphQLAbstractType,
  GraphQLBoolean,
  GraphQLError,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';
import type { Place } from './collected-errors.js';
import type { DirectResolvers } from './resolvers.js';
import { type Complete, fail, type Field, infoOf, isPromise, type Run } from './run.js';

/** Writes the selected fields of an object. */
export type WriteObject = (run: Run, source: unknown, place: Place | undefined) => unknown;

/** What completing values needs to know of the plan. */
export interface Planning {
  readonly schema: GraphQLSchema;
  readonly resolvers: DirectResolvers;
  /** The selection of a field on an object type; throws {@link Unplanned}. */
  objectOf(field: Field, type: GraphQLObjectType): WriteObject;
}

/** A function that takes no `info`. */
type TypeOfValue = (value: unknown, context: unknown) => unknown;

/** The operation asks for something that plans do not cover. */
export class Unplanned extends Error {}

/** How values of a type are completed, with the rules and the errors of graphql-js. */
export function completionOf(planning: Planning, field: Field, type: GraphQLOutputType): Complete {
  if (isNonNullType(type)) return nonNull(field, completionOf(planning, field, type.ofType));
  if (isListType(type)) return list(planning, field, type.ofType);
  if (isLeafType(type)) {
    const write = leafOf(type);
    return (run, value) => {
      if (isAbsent(value)) return null;
      const written = write(value);
      run.size.addLeaf(written);
      return written;
    };
  }
  if (isAbstractType(type)) return abstract(planning, field, type);
  return object(planning, field, type);
}

/** Throws errors that were returned in place of a value. */
function isAbsent(value: unknown): value is null | undefined {
  if (value instanceof Error) throw value;
  return value === null || value === undefined;
}

function nonNull(field: Field, complete: Complete): Complete {
  const message = `Cannot return null for non-nullable field ${field.parentType.name}.${field.definition.name}.`;
  return (run, value, place) => {
    const completed = complete(run, value, place);
    if (completed === null) throw new Error(message);
    return completed;
  };
}

function list(planning: Planning, field: Field, type: GraphQLOutputType): Complete {
  const complete = completionOf(planning, field, type);
  const isItemNonNull = isNonNullType(type);
  const message = `Expected Iterable, but did not find one for field "${field.parentType.name}.${field.definition.name}".`;
  // Functions of their own: one that is made inside of a loop would have its surroundings made for each item.
  const later = (run: Run, item: Promise<unknown>, place: Place) =>
    item.then((resolved) => complete(run, resolved, place));
  const orFailed = (run: Run, done: Promise<unknown>, place: Place) =>
    done.then(undefined, (error: unknown) => fail(run, field, isItemNonNull, error, place));
  return (run, value, place) => {
    if (isAbsent(value)) return null;
    if (!isIterable(value)) throw new GraphQLError(message);
    const items: unknown[] = Array.isArray(value) ? value : Array.from(value);
    const completed = new Array<unknown>(items.length);
    let isPending = false;
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      const itemPlace: Place = { prev: place, key: index, typename: undefined };
      try {
        const done = isPromise(item) ? later(run, item, itemPlace) : complete(run, item, itemPlace);
        if (isPromise(done)) {
          isPending = true;
          completed[index] = orFailed(run, done, itemPlace);
        } else completed[index] = done;
      } catch (error) {
        // Where the list fails, other items may be rejected after it.
        if (isItemNonNull && isPending) void Promise.allSettled(completed);
        completed[index] = fail(run, field, isItemNonNull, error, itemPlace);
      }
    }
    return isPending ? Promise.all(completed) : completed;
  };
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && typeof (value as Iterable<unknown>)[Symbol.iterator] === 'function';

function object(planning: Planning, field: Field, type: GraphQLObjectType): Complete {
  const write = planning.objectOf(field, type);
  return (run, value, place) => (isAbsent(value) ? null : write(run, value, place));
}

function abstract(planning: Planning, field: Field, type: GraphQLAbstractType): Complete {
  const { schema, resolvers } = planning;
  const byName = new Map<string, WriteObject>();
  for (const possible of schema.getPossibleTypes(type)) byName.set(possible.name, planning.objectOf(field, possible));
  const direct = resolvers.typeOf(type);
  // Most look at the value only.
  const takesInfo = direct !== undefined && direct.length > 2;
  const declared = type.resolveType;
  if (!declared) throw new Unplanned('a type is told by its classes');
  const write = (run: Run, value: unknown, place: Place, name: unknown) => {
    const known = typeof name === 'string' ? byName.get(name) : undefined;
    if (known) return known(run, value, place);
    throw wrongType(planning, field, type, value, name);
  };
  const finish = (run: Run, value: unknown, place: Place) => {
    const name: unknown = declared(value, run.context, infoOf(run, field, place), type);
    return isPromise(name)
      ? name.then((resolved) => write(run, value, place, resolved))
      : write(run, value, place, name);
  };
  return (run, value, place) => {
    if (isAbsent(value)) return null;
    if (!direct) return finish(run, value, place);
    let name: unknown;
    try {
      name = takesInfo
        ? direct(value, run.context, infoOf(run, field, place), type)
        : (direct as TypeOfValue)(value, run.context);
    } catch {
      return finish(run, value, place);
    }
    // A class, a promise or nothing: as the schema says.
    return typeof name === 'string' ? write(run, value, place, name) : finish(run, value, place);
  };
}

/** The error for a value whose type is none of the abstract type's. */
function wrongType(
  { schema }: Planning,
  { parentType, definition, nodes }: Field,
  type: GraphQLAbstractType,
  value: unknown,
  name: unknown,
): GraphQLError {
  const of = `for field "${parentType.name}.${definition.name}"`;
  if (name === null || name === undefined)
    return new GraphQLError(
      `Abstract type "${type.name}" must resolve to an Object type at runtime ${of}. Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      nodes as never,
    );
  if (isObjectType(name))
    return new GraphQLError(
      'Support for returning GraphQLObjectType from resolveType was removed in graphql-js@16.0.0 please return type name instead.',
    );
  if (typeof name !== 'string')
    return new GraphQLError(
      `Abstract type "${type.name}" must resolve to an Object type at runtime ${of} with value ${inspect(value)}, received "${inspect(name)}".`,
    );
  const resolved = schema.getType(name);
  if (resolved && !isObjectType(resolved))
    return new GraphQLError(`Abstract type "${type.name}" was resolved to a non-object type "${name}".`, { nodes });
  const reason = resolved
    ? `Runtime Object type "${name}" is not a possible type for "${type.name}".`
    : `Abstract type "${type.name}" was resolved to a type "${name}" that does not exist inside the schema.`;
  return new GraphQLError(reason, { nodes });
}

/**
 * How values of a scalar or an enum are written; values that are in the right form already are not looked at further.
 */
export function leafOf(type: GraphQLLeafType): (value: unknown) => unknown {
  const serialize = (value: unknown) => {
    const written: unknown = type.serialize(value);
    if (written !== null && written !== undefined) return written;
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(written)}`,
    );
  };
  if (type === GraphQLString || type === GraphQLID)
    return (value) => (typeof value === 'string' ? value : serialize(value));
  if (type === GraphQLBoolean) return (value) => (typeof value === 'boolean' ? value : serialize(value));
  if (type === GraphQLInt)
    return (value) => (typeof value === 'number' && (value | 0) === value ? value : serialize(value));
  return serialize;
}
