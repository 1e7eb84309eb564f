import { defaultFieldResolver, getNamedType, type GraphQLSchema, isLeafType, isObjectType } from 'graphql';
import { aroundKey, type ReplySize } from './reply-size.js';
import { isPromise } from './run.js';

/** The sizes of the replies that graphql-js executes at present, by the context of their operations. */
const sizes = new WeakMap<object, ReplySize>();

/**
 * Has graphql-js execute an operation in a schema of {@link countScalars}: beyond the bound each further field fails.
 */
export async function executeCounted<Result>(
  context: unknown,
  size: ReplySize,
  execute: () => Result | Promise<Result>,
): Promise<Result> {
  if (typeof context !== 'object' || context === null) return execute();
  sizes.set(context, size);
  try {
    return await execute();
  } finally {
    sizes.delete(context);
  }
}

/**
 * Has every field count itself and its scalars in the reply that it belongs to, where graphql-js executes it; plans
 * count by themselves.
 */
export function countScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = field.resolve ?? defaultFieldResolver;
      const isLeaf = isLeafType(getNamedType(field.type));
      field.resolve = (source: unknown, args, context: object, info) => {
        const size = sizes.get(context);
        if (!size) return resolve(source, args, context, info) as unknown;
        size.add(String(info.path.key).length + aroundKey);
        const value: unknown = resolve(source, args, context, info);
        if (!isLeaf) return value;
        return isPromise(value) ? value.then((later) => counted(size, later)) : counted(size, value);
      };
    }
  }
  return schema;
}

/** Counts the scalars that a resolver returns; a JSON value is counted as its text. */
function counted(size: ReplySize, value: unknown): unknown {
  for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
    size.addLeaf(isDocument(item) ? JSON.stringify(item) : item);
  return value;
}

const isDocument = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Error);
