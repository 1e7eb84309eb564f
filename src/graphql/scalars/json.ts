import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { limits } from '../../domain/limits.js';
import { nestsTooDeep } from '../../domain/steps/document.js';
import type { Json } from '../../domain/steps/step.js';

function readText(text: string): Json {
  try {
    return bounded(JSON.parse(text) as Json);
  } catch (error) {
    if (error instanceof GraphQLError) throw error;
    throw new GraphQLError('JSON cannot represent the text given: it is not valid JSON');
  }
}

function bounded(value: Json): Json {
  if (nestsTooDeep(value)) throw new GraphQLError(`JSON is nested deeper than ${limits.jsonDepth} levels`);
  return value;
}

function readLiteral(node: ValueNode, variables: Record<string, unknown> | null | undefined): Json {
  if (node.kind === Kind.STRING) return readText(node.value);
  return bounded(valueFromASTUntyped(node, variables) as Json);
}

/** Text with JSON in it on the way out, as Go clients bind it; text or any value on the way in (graphql-facts 1.5). */
export const JsonText = new GraphQLScalarType<Json, string>({
  name: 'JSON',
  description: 'A JSON value, given out as pretty-printed text. Input may be such text or the value itself.',
  serialize: (value) => JSON.stringify(value, null, 2),
  parseValue: (value) => (typeof value === 'string' ? readText(value) : bounded(value as Json)),
  parseLiteral: readLiteral,
});
