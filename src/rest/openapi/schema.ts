import type { JsonObject } from '../../domain/pipelines/steps/step.js';

/** A JSON schema (draft 2020-12), the dialect of OpenAPI 3.1. */
export type Schema = JsonObject;

export const text: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer' };
export const number: Schema = { type: 'number' };
export const boolean: Schema = { type: 'boolean' };
export const uuid: Schema = { type: 'string', format: 'uuid' };
export const url: Schema = { type: 'string', format: 'uri' };
/** ISO 8601 with milliseconds and `Z`. */
export const time: Schema = { type: 'string', format: 'date-time' };
export const anything: Schema = {};
export const nothing: Schema = { type: 'null' };
/** An object with keys chosen by users. */
export const anyObject: Schema = { type: 'object' };

/** An object with every property of `required` and any of `optional`, and no others. */
export function object(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

export const enumOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
export const arrayOf = (items: Schema): Schema => ({ type: 'array', items });
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const oneOf = (...schemas: Schema[]): Schema => ({ oneOf: schemas });
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The schema with a description for readers of the document. */
export const described = (schema: Schema, description: string): Schema => ({ ...schema, description });

/** The schema, or null. */
export function nullable(schema: Schema): Schema {
  const { type } = schema;
  return typeof type === 'string' && !('enum' in schema)
    ? { ...schema, type: [type, 'null'] }
    : { oneOf: [schema, nothing] };
}
