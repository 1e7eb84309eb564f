import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { limits } from '../../domain/limits/limits.js';
import { nestsTooDeep } from '../../domain/pipelines/steps/document.js';
import type { Json } from '../../domain/pipelines/steps/step.js';

function readText(text: string): Json {
  try {
    return bounded(JSON.parse(text) as Json);
  } catch (error) {
    if (error instanceof GraphQLError) throw error;
    throw new GraphQLError('The text is not valid JSON');
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

/** Text with JSON in it on the way out, as Go clients bind it; text or any value on the way in. */
export const JsonText = new GraphQLScalarType<Json, string>({
  name: 'JSON',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'A JSON value, returned as pretty-printed text. Input may be JSON text or the value itself.',
  serialize: (value) => JSON.stringify(value, null, 2),
  parseValue: (value) => (typeof value === 'string' ? readText(value) : bounded(value as Json)),
  parseLiteral: readLiteral,
});
