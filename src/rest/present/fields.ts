import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { described, type Schema } from '../openapi/schema.js';

/** A property of a resource: its type and description for the OpenAPI document, its value for replies. */
export interface Field<Source> {
  type: Schema;
  description: string;
  value: (source: Source) => FieldValue | Promise<FieldValue>;
  /** Whether replies may lack the property. */
  optional: boolean;
}

/** `undefined` leaves the property out of the reply; only optional fields may. */
type FieldValue = Json | undefined;

/** The properties of a resource in the order in which replies show them. */
export type Fields<Source> = Readonly<Record<string, Field<Source>>>;

/** A JSON object of /v2, declared once for replies and for the OpenAPI document. */
export interface Resource<Source> {
  schema: Schema;
  present: (source: Source) => Promise<JsonObject>;
}

export function field<Source>(type: Schema, description: string, value: Field<Source>['value']): Field<Source> {
  return { type, description, value, optional: false };
}

export function optionalField<Source>(type: Schema, description: string, value: Field<Source>['value']): Field<Source> {
  return { type, description, value, optional: true };
}

/** Makes the schema and the presenter of a resource from its fields. */
export function resource<Source>(fields: Fields<Source>): Resource<Source> {
  const entries = Object.entries(fields);
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { type, description }]) => [name, described(type, description)]),
    ),
    required: entries.filter(([, { optional }]) => !optional).map(([name]) => name),
  };
  return {
    schema,
    present: async (source) => {
      const values = entries.map(([, { value }]) => valueOf(value, source));
      // Long lists hold rows whose values are all at hand: awaiting each of their fields would add up.
      const settled = values.some((value) => value instanceof Promise) ? await Promise.all(values) : values;
      const reply: JsonObject = {};
      entries.forEach(([name], index) => {
        const value = settled[index] as FieldValue;
        if (value !== undefined) reply[name] = value;
      });
      return reply;
    },
  };
}

/** A value that throws must not abandon the promises of the fields before it: their rejections would be unhandled. */
function valueOf<Source>(value: Field<Source>['value'], source: Source): FieldValue | Promise<FieldValue> {
  try {
    return value(source);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}
