import { z } from 'zod';
import type { Json, JsonObject } from '../../domain/steps/step.js';
import { snake } from '../field-names.js';
import type { JsonBody } from '../request-body.js';
import { RestRequest } from '../request.js';
import type { Route } from '../route.js';
import type { Schema } from './schema.js';

/**
 * The fields that a route takes from its body, under their names on the wire, as the operation's input says. Which
 * they are is found by handing the route a body of marks and looking where they come out: what the path or the
 * surface sets itself is none of them.
 */
export function bodySchema(route: Route): Schema {
  const { input } = route.operation;
  const whole = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  const fields = propertiesOf(whole);
  const wireNames = takenFromBody(route, Object.keys(fields));
  const required = requiredFields(route);
  const names = Object.keys(fields).filter((name) => wireNames.has(name));
  const requiredNames = names.filter((name) => required.has(name)).map((name) => wireNames.get(name) ?? name);
  const definitions = (whole['$defs'] ?? {}) as Record<string, Json>;
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [wireNames.get(name) ?? name, inlined(fields[name] ?? {}, definitions, [])])),
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
  };
}

/** The properties of an object schema, or of every member of a union or intersection of them. */
function propertiesOf(schema: JsonObject): Record<string, Json> {
  const members = [schema['anyOf'], schema['oneOf'], schema['allOf']].flat().filter((member) => member !== undefined) as JsonObject[];
  return Object.assign({}, ...members.map(propertiesOf), (schema['properties'] as object | undefined) ?? {}) as Record<string, Json>;
}

/** Fields of the operation's input that come out of the body, with the name that the body has for each. */
function takenFromBody(route: Route, names: string[]): Map<string, string> {
  const marks = new Map<unknown, string>();
  const markOf = (wire: string): Json => {
    const mark = { mark: wire };
    marks.set(mark, wire);
    return mark;
  };
  const body = new Proxy(Object.fromEntries(names.map((name) => [snake(name), markOf(snake(name))])), {
    get: (known, wire: string) => known[wire] ?? (known[wire] = markOf(wire)),
  });
  const given = route.input(new RestRequest({}, {}, body as JsonBody)) as Record<string, unknown>;
  return new Map(Object.entries(given).flatMap(([name, value]): [string, string][] => (marks.has(value) ? [[name, marks.get(value) ?? name]] : [])));
}

/** The fields that a request with an empty body is refused for lacking, by the operation or by this door. */
function requiredFields(route: Route): Set<string> {
  const params = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1']));
  const result = route.operation.input.safeParse(route.input(new RestRequest(params, {}, {})), { reportInput: true });
  const lacking = result.success ? [] : result.error.issues.filter(({ path, input }) => path.length === 1 && input === undefined).map(({ path }) => String(path[0]));
  return new Set([...lacking, ...(route.requires ?? [])]);
}

/** The schema without references, which would lead out of their document; where it holds itself, anything goes. */
function inlined(schema: Json, definitions: Record<string, Json>, open: readonly string[]): Json {
  if (Array.isArray(schema)) return schema.map((item) => inlined(item, definitions, open));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: Json };
  if (typeof $ref === 'string') {
    const name = $ref.replace('#/$defs/', '');
    return open.includes(name) ? {} : inlined(definitions[name] ?? {}, definitions, [...open, name]);
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(value as Json, definitions, open)]));
}
