import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import type { Schema } from './schema.js';

/**
 * Rewrites the schema of an input in the words that generators of clients understand: a list of types with null instead
 * of a choice with null, choices of named types instead of several types at once, bounds that are part of the range,
 * and no patterns in the Unicode classes of one language. What the server takes stays the same, but for such patterns:
 * its refusal says what is wrong.
 */
export function normalForm(schema: Json): Schema {
  const { anyOf, type, ...rest } = schema as JsonObject;
  if (Array.isArray(anyOf)) return { ...normalForm(rest), ...choice(anyOf) };
  if (Array.isArray(type)) return { ...normalForm(rest), ...choice(type.map((each) => ({ type: each }))) };
  return plain(type === undefined ? rest : { type, ...rest });
}

/** A schema of at most one type. */
function plain({ const: only, pattern, exclusiveMinimum, propertyNames: _names, ...rest }: JsonObject): Schema {
  const schema: JsonObject = { ...rest };
  if (only !== undefined) schema['enum'] = [only];
  if (Array.isArray(schema['enum']) && schema['enum'].every((value) => Number.isInteger(value)))
    schema['type'] = 'integer';
  if (typeof pattern === 'string' && schema['format'] === undefined && !/\\[pu]/.test(pattern))
    schema['pattern'] = pattern;
  if (typeof exclusiveMinimum === 'number') schema['minimum'] = exclusiveMinimum + 1;
  if (schema['type'] === 'integer') Object.assign(schema, sizeOfInteger(schema));
  for (const key of ['items', 'additionalProperties'])
    if (typeof schema[key] === 'object' && schema[key] !== null) schema[key] = normalForm(schema[key]);
  if (typeof schema['properties'] === 'object' && schema['properties'] !== null)
    schema['properties'] = Object.fromEntries(
      Object.entries(schema['properties']).map(([name, inner]) => [name, normalForm(inner ?? {})]),
    );
  if (Array.isArray(schema['allOf'])) schema['allOf'] = schema['allOf'].map(normalForm);
  return schema;
}

const largestOf32Bits = 2_147_483_647;

function sizeOfInteger({ maximum }: JsonObject): JsonObject {
  return typeof maximum === 'number' && maximum > largestOf32Bits ? { format: 'int64' } : {};
}

/** Types that together are every JSON value. */
const everyType = ['string', 'number', 'boolean', 'null', 'array', 'object'];

function choice(members: readonly Json[]): Schema {
  const flat = members.flatMap(membersOf);
  if (everyType.every((type) => flat.some((member) => member['type'] === type))) return {};
  const isNull = (member: Schema) => member['type'] === 'null';
  const values = distinct(flat.filter((member) => !isNull(member)).map(plain));
  const takesNull = flat.some(isNull);
  const [only] = values;
  if (values.length !== 1 || only === undefined) return { anyOf: takesNull ? [...values, { type: 'null' }] : values };
  if (!takesNull || Object.keys(only).length === 0) return only;
  if (typeof only['type'] === 'string' && !('enum' in only)) return { ...only, type: [only['type'], 'null'] };
  return { anyOf: [only, { type: 'null' }] };
}

/** Returns the members of a choice, including the members of nested choices. */
function membersOf(member: Json): Schema[] {
  const { anyOf, type, ...rest } = member as JsonObject;
  if (Array.isArray(anyOf)) return anyOf.flatMap(membersOf);
  if (Array.isArray(type)) return type.map((each) => ({ type: each, ...rest }));
  return [type === undefined ? rest : { type, ...rest }];
}

/** Each schema once; beside a time, the text that it is written as says nothing more. */
function distinct(schemas: readonly Schema[]): Schema[] {
  const isTime = ({ format }: Schema) => format === 'date-time';
  const variants = schemas.some(isTime)
    ? schemas.filter((schema) => schema['type'] !== 'string' || isTime(schema))
    : schemas;
  return [...new Map(variants.map((schema) => [JSON.stringify(schema), schema])).values()];
}
