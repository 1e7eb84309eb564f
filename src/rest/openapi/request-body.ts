import { z } from 'zod';
import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { snake } from '../requests/field-names.js';
import type { JsonBody } from '../requests/request-body.js';
import { RestRequest } from '../requests/request.js';
import type { Route } from '../route.js';
import { bodyDescriptions } from './body-descriptions.js';
import { bodyTypes } from './body-types.js';
import { normalForm } from './normal-form.js';
import { described, type Schema } from './schema.js';
import { type SchemaName, schemas } from './schemas.js';

/**
 * Derives the schema of a route's body from the input of its operation, with the field names of /v2. To separate body
 * fields from fields that the path or the surface sets, it calls the route's input mapping with a body of marks: the
 * input fields that contain marks are body fields.
 */
export function bodySchema(route: Route): Schema {
  const { input } = route.operation;
  const whole = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: describeTime }) as JsonObject;
  const fields = propertiesOf(whole);
  const wireNames = takenFromBody(route, Object.keys(fields));
  const required = requiredFields(route);
  const names = Object.keys(fields).filter((name) => wireNames.has(name));
  const requiredNames = names.filter((name) => required.has(name)).map((name) => wireNames.get(name) ?? name);
  const definitions = (whole['$defs'] ?? {}) as Record<string, Json>;
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => {
        const wireName = wireNames.get(name) ?? name;
        const type = bodyTypes[nounOf(route)]?.[wireName] ?? normalForm(inlined(fields[name] ?? {}, definitions, []));
        return [wireName, describeField(route, wireName, required.has(name) ? withoutNull(type) : type)];
      }),
    ),
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
  };
}

/** Schema of a required field without null, because null counts as absent. */
function withoutNull({ type, anyOf, ...rest }: Schema): Schema {
  const isNull = (member: Json) => (member as JsonObject)['type'] === 'null';
  const members = Array.isArray(anyOf) ? anyOf.filter((member) => !isNull(member)) : [];
  if (members.length === 1) return { ...(members[0] as JsonObject), ...rest };
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : type;
  return {
    ...(types !== undefined && { type: Array.isArray(types) && types.length === 1 ? (types[0] ?? 'string') : types }),
    ...(members.length > 1 && { anyOf: members }),
    ...rest,
  };
}

/** Describes times as ISO 8601 texts, which operations parse into dates. */
const describeTime: ZodOverride = ({ zodSchema, jsonSchema }) => {
  if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
};
type ZodOverride = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Collects the properties of an object schema, or of all members of a union or intersection. */
function propertiesOf(schema: JsonObject): Record<string, Json> {
  const members = [schema['anyOf'], schema['oneOf'], schema['allOf']]
    .flat()
    .filter((member) => member !== undefined) as JsonObject[];
  return Object.assign({}, ...members.map(propertiesOf), (schema['properties'] as object | undefined) ?? {}) as Record<
    string,
    Json
  >;
}

/** Maps each input field that the route takes from the body to its name there. */
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
  const input = route.input(new RestRequest({}, {}, body as JsonBody)) as Record<string, unknown>;
  return new Map(
    Object.entries(input).flatMap(([name, value]): [string, string][] =>
      marks.has(value) ? [[name, marks.get(value) ?? name]] : [],
    ),
  );
}

/** Lists the fields without which the operation or the route refuses a request. */
function requiredFields(route: Route): Set<string> {
  const params = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1']));
  const result = route.operation.input.safeParse(route.input(new RestRequest(params, {}, {})), { reportInput: true });
  const missing = result.success
    ? []
    : result.error.issues
        .filter(({ path, input }) => path.length === 1 && input === undefined)
        .map(({ path }) => String(path[0]));
  return new Set([...missing, ...(route.requires ?? [])]);
}

/** Replaces references, which would lead out of their document; a schema inside itself becomes `{}`. */
function inlined(schema: Json, definitions: Record<string, Json>, open: readonly string[]): Json {
  if (Array.isArray(schema)) return schema.map((item) => inlined(item, definitions, open));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: Json };
  if (typeof $ref === 'string') {
    const name = $ref.replace('#/$defs/', '');
    return open.includes(name) ? {} : inlined(definitions[name] ?? {}, definitions, [...open, name]);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, inlined(value as Json, definitions, open)]),
  );
}

/** Adds descriptions to a field of a body and to the properties inside it. */
function describeField(route: Route, path: string, schema: Json): Schema {
  const own = describeInside(route, path, schema as JsonObject);
  const description = bodyDescriptions[nounOf(route)]?.[path] ?? replyDescription(route, path.split('.'));
  return description === undefined ? own : described(own, description);
}

function describeInside(route: Route, path: string, schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]): [string, Json] => {
      if (key === 'properties')
        return [
          key,
          Object.fromEntries(
            Object.entries(value as JsonObject).map(([name, inner]) => [
              name,
              describeField(route, `${path}.${name}`, inner ?? {}),
            ]),
          ),
        ];
      if (key === 'items') return [key, describeInside(route, path, value as JsonObject)];
      if (key === 'anyOf' || key === 'oneOf' || key === 'allOf')
        return [key, (value as JsonObject[]).map((member) => describeInside(route, path, member))];
      return [key, value];
    }),
  );
}

/** Returns the description of the same property in the reply of the route. */
function replyDescription({ reply }: Route, path: readonly string[]): string | undefined {
  if (!('schema' in reply)) return undefined;
  let schema: JsonObject = schemas[reply.schema];
  for (const name of path) {
    const property = propertiesOf(schema)[name];
    if (property === undefined) return undefined;
    schema = namedSchema(property as JsonObject);
    const { items, description } = schema;
    // The path does not say that there is a list on the way.
    if (items !== undefined) schema = { ...(items as JsonObject), ...(description ? { description } : {}) };
  }
  return schema['description'] as string | undefined;
}

/** Returns the schema itself, or the schema that it refers to; for a choice with null, the member that is not null. */
function namedSchema({ anyOf, ...schema }: JsonObject): JsonObject {
  const [first] = (anyOf ?? []) as JsonObject[];
  const { $ref } = first ?? schema;
  if (typeof $ref !== 'string') return { ...first, ...schema };
  return { ...schemas[$ref.replace('#/components/schemas/', '') as SchemaName], ...schema };
}

const nounOf = ({ operation }: Route) => operation.name.split('.', 1)[0] ?? '';
