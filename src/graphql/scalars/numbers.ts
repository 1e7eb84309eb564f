import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

function read(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new GraphQLError(`JSInt cannot represent ${JSON.stringify(value)}: expected a whole number up to 2^53-1`);
}

/** A whole number that may exceed the range of `Int`. */
export const JSInt = new GraphQLScalarType<number, number>({
  name: 'JSInt',
  description: 'A whole number between -(2^53)+1 and 2^53-1.',
  serialize: read,
  parseValue: read,
  parseLiteral: (node) => read(node.kind === Kind.INT ? node.value : null),
});
