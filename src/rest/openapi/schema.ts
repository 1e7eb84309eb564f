import type { JsonObject } from '../../domain/pipelines/steps/step.js';

/** A JSON schema (draft 2020-12), the dialect of OpenAPI 3.1. */
export type Schema = JsonObject;

export const text: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer' };
/** An integer that 32 bits cannot hold: a size in bytes, a time in nanoseconds. */
export const largeInteger: Schema = { type: 'integer', format: 'int64' };
export const number: Schema = { type: 'number' };
export const boolean: Schema = { type: 'boolean' };
export const uuid: Schema = { type: 'string', format: 'uuid' };
export const url: Schema = { type: 'string', format: 'uri' };
/** ISO 8601 with milliseconds and `Z`. */
export const time: Schema = { type: 'string', format: 'date-time' };
export const anything: Schema = {};
const nothing: Schema = { type: 'null' };

/**
 * An object with every property of `required` and any of `optional`. Clients must take properties that are added later:
 * only the tests of replies forbid properties that the document lacks.
 */
export function object(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(Object.keys(required).length > 0 ? { required: Object.keys(required) } : {}),
  };
}

/** An object with any of the properties. */
export const partialObject = (optional: Record<string, Schema>): Schema => object({}, optional);

export const enumOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
export const arrayOf = (items: Schema): Schema => ({ type: 'array', items });
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The schema with a description for readers of the document. */
export const described = (schema: Schema, description: string): Schema => ({ ...schema, description });

/**
 * The schema, or null. Of a map use {@link anything}: some generators forget that a map may be null.
 * Client generators accept a list of types that includes null, and `anyOf` with null for objects and schemas without a
 * type; they fail on null among the values of an enum.
 */
export function nullable(schema: Schema): Schema {
  const { type } = schema;
  return typeof type === 'string' && type !== 'object' && !('enum' in schema)
    ? { ...schema, type: [type, 'null'] }
    : { anyOf: [schema, nothing] };
}

/**
 * One of several named schemas, chosen by the value of a property; `mapping` maps the value to the name of its schema.
 */
export function discriminated(propertyName: string, mapping: Readonly<Record<string, string>>): Schema {
  const references = Object.fromEntries(
    Object.entries(mapping).map(([value, name]) => [value, `#/components/schemas/${name}`]),
  );
  return {
    oneOf: Object.values(references).map(($ref) => ({ $ref })),
    discriminator: { propertyName, mapping: references },
  };
}
