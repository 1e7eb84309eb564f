import type { JsonObject } from '../../domain/steps/step.js';

/** A JSON schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export type Schema = JsonObject;

/** An object that has every key of `required`, may have those of `optional`, and has no others. */
export function object(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required), additionalProperties: false };
}

/** An object whose keys are not ours to name. */
export const anyObject = (): Schema => ({ type: 'object' });

export const text = (): Schema => ({ type: 'string' });
export const integer = (): Schema => ({ type: 'integer' });
export const flag = (): Schema => ({ type: 'boolean' });
export const uuid = (): Schema => ({ type: 'string', format: 'uuid' });
export const url = (): Schema => ({ type: 'string', format: 'uri' });
/** ISO 8601 with milliseconds and `Z`. */
export const time = (): Schema => ({ type: 'string', format: 'date-time' });
export const word = (...words: string[]): Schema => ({ type: 'string', enum: words });
export const list = (items: Schema): Schema => ({ type: 'array', items });
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const anything = (): Schema => ({});
export const nothing = (): Schema => ({ type: 'null' });
export const oneOf = (...schemas: Schema[]): Schema => ({ oneOf: schemas });
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The same, or null. */
export function orNull(schema: Schema): Schema {
  const { type } = schema;
  return typeof type === 'string' && !('enum' in schema) ? { ...schema, type: [type, 'null'] } : { oneOf: [schema, nothing()] };
}
