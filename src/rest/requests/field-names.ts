import type { JsonBody } from './request-body.js';

/** Fields with different names on /v2 and in operations; all other names differ only in underscores. */
const renamed: readonly (readonly [wire: string, operation: string])[] = [
  ['pipeline_template_uuid', 'pipelineTemplateId'],
  ['default_command_step_timeout', 'defaultTimeoutInMinutes'],
  ['maximum_command_step_timeout', 'maximumTimeoutInMinutes'],
  ['default_timeout_in_minutes', 'organizationDefaultTimeoutInMinutes'],
  ['maximum_timeout_in_minutes', 'organizationMaximumTimeoutInMinutes'],
];
const toOperation = new Map(renamed);
const toWire = new Map(renamed.map(([wire, operation]) => [operation, wire]));

const camel = (name: string) =>
  toOperation.get(name) ?? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the /v2 name of an operation's input field. */
export const snake = (name: string) =>
  toWire.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Renames the members of a body to the operation's field names; nested keys stay unchanged, because they may be the
 * caller's data.
 */
export function camelFields(body: JsonBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camel(name), value]));
}

/** Translates the path of a refused field to /v2 names; only its first name was renamed on the way in. */
export function snakeField(field: string): string {
  const end = field.search(/[.[]/);
  return end < 0 ? snake(field) : snake(field.slice(0, end)) + field.slice(end);
}
