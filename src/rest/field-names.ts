import type { JsonBody } from './request-body.js';

/** Fields that operations call by another name than /v2 does; every other differs only in its underscores. */
const renamed: readonly (readonly [wire: string, operation: string])[] = [
  ['pipeline_template_uuid', 'pipelineTemplateId'],
  ['default_command_step_timeout', 'defaultTimeoutInMinutes'],
  ['maximum_command_step_timeout', 'maximumTimeoutInMinutes'],
];
const toOperation = new Map(renamed);
const toWire = new Map(renamed.map(([wire, operation]) => [operation, wire]));

const camel = (name: string) => toOperation.get(name) ?? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The name a field of an operation has on the wire. */
export const snake = (name: string) => toWire.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The members of a body under the names operations use; values stay as they are, so that maps keep their keys. */
export function camelFields(body: JsonBody): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camel(name), value]));
}

/** The path of a refused field as the caller wrote it: only its first name was ours. */
export function snakeField(field: string): string {
  const end = field.search(/[.[]/);
  return end < 0 ? snake(field) : snake(field.slice(0, end)) + field.slice(end);
}
