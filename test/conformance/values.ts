/** Checks of values in replies. */
export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === 'string' && value !== '';
export const anyText: Check = (value) => typeof value === 'string';
export const integer: Check = Number.isInteger;
export const flag: Check = (value) => typeof value === 'boolean';
export const nothing: Check = (value) => value === null;
export const uuid: Check = (value) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
export const url: Check = (value) => typeof value === 'string' && value.startsWith('http://slipway.test/');
/** ISO 8601 with milliseconds and Z (compatibility 16). */
export const time: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
export const textMap: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(anyText);
export const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
export const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
export const orNull = (check: Check): Check => either(check, nothing);
export const is =
  (expected: unknown): Check =>
  (value) =>
    JSON.stringify(value) === JSON.stringify(expected);
export const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(value as string);
/** The fields that an object has, each as it must be. */
export const shape =
  (fields: Record<string, Check>): Check =>
  (value) =>
    object(value) && Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]));

export const userSummary = shape({
  id: uuid,
  graphql_id: text,
  name: text,
  email: text,
  avatar_url: url,
  created_at: time,
});

/** One row of a table of fields: the row of the specification, the field names, and the check of their values. */
export type FieldRow = [line: string, fields: string, check: Check];

/** The fields of a row that a reply does not have as it must. */
export function wrongFields(reply: Record<string, unknown>, fields: string, check: Check): string[] {
  return fields
    .split(', ')
    .filter((name) => !(name in reply) || !check(reply[name]))
    .map((name) => `${name}: ${JSON.stringify(reply[name])}`);
}
