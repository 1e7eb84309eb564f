import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { ProviderRequest } from './fake-provider.js';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
}
interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  schema?: Schema;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { $ref?: string; content?: Record<string, { schema?: Schema }> };
}
interface OpenApi {
  basePath?: string;
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
}

/** The OpenAPI document of a source provider, version 2 or 3, with which requests to it are compared. */
export class PublishedDocument {
  private readonly ajv = formats.default(new Ajv({ strict: false, allErrors: true, validateFormats: true }));
  private readonly compiled = new Map<Schema, ValidateFunction>();
  private readonly document: OpenApi;

  constructor(file: string) {
    this.document = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
    this.ajv.addSchema(this.document as unknown as AnySchema, 'published');
  }

  /** What of a request the document does not know: its route, a parameter, a field of the body, or the type of one. */
  problems({ method, path, query, body }: ProviderRequest, prefix: string): string[] {
    const route = path.slice(prefix.length);
    const paths = Object.entries(this.document.paths).filter(([template]) => matches(template, route));
    // A fixed segment is nearer than one that takes anything.
    const [template, item] = paths.sort(([a], [b]) => a.split('{').length - b.split('{').length)[0] ?? [];
    const operation = item?.[method.toLowerCase()];
    const name = `${method} ${template ?? route}`;
    if (!item || !operation) return [`${name} is no route`];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => this.resolve(each));
    const allowed = parameters.filter((each) => each.in === 'query').map((each) => each.name);
    const unknown = [...query.keys()].filter((key) => !allowed.includes(key));
    return [
      ...unknown.map((key) => `${name} has no parameter ${key}`),
      ...(body === null ? [] : this.problemsOfBody(name, this.bodySchema(operation, parameters), body)),
    ];
  }

  private bodySchema({ requestBody }: Operation, parameters: readonly Parameter[]): Schema | undefined {
    if (requestBody) return this.resolve(requestBody).content?.['application/json']?.schema;
    return parameters.find((each) => each.in === 'body')?.schema;
  }

  private problemsOfBody(name: string, schema: Schema | undefined, body: unknown): string[] {
    if (!schema) return [`${name} takes no body`];
    const validate = this.compiled.get(schema) ?? this.ajv.compile(inDocument(schema) as AnySchema);
    this.compiled.set(schema, validate);
    validate(body);
    return [
      ...(validate.errors ?? []).map(({ instancePath, message }) => `${name}: ${instancePath || 'body'} ${message}`),
      ...this.unknownFields(schema, body, '').map((path) => `${name} has no field ${path}`),
    ];
  }

  private unknownFields(schema: Schema, value: unknown, path: string): string[] {
    if (Array.isArray(value)) {
      const [items] = this.alternatives(schema).flatMap((each) => each.items ?? []);
      return items ? value.flatMap((each) => this.unknownFields(items, each, path)) : [];
    }
    if (typeof value !== 'object' || value === null) return [];
    const properties: Record<string, Schema> = Object.assign(
      {},
      ...this.alternatives(schema).map((each) => each.properties ?? {}),
    );
    if (Object.keys(properties).length === 0) return [];
    return Object.entries(value).flatMap(([key, field]) => {
      const known = properties[key];
      return known ? this.unknownFields(known, field, `${path}.${key}`) : [`${path}.${key}`.slice(1)];
    });
  }

  /** A schema and all that it is made of. */
  private alternatives(schema: Schema): Schema[] {
    const own = this.resolve(schema);
    const parts = [...(own.allOf ?? []), ...(own.oneOf ?? []), ...(own.anyOf ?? [])];
    return [own, ...parts.flatMap((part) => this.alternatives(part))];
  }

  private resolve<T extends { $ref?: string }>(value: T): T {
    if (value.$ref === undefined) return value;
    let target: unknown = this.document;
    for (const key of value.$ref.split('/').slice(1))
      target = (target as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
    return this.resolve(target as T);
  }
}

function matches(template: string, path: string): boolean {
  const wanted = template.split('/');
  const segments = path.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((segment, index) => segment.includes('{') || segment === segments[index])
  );
}

/** The schema with references into the whole document. */
function inDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDocument);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      key === '$ref' && typeof field === 'string' && field.startsWith('#') ? `published${field}` : inDocument(field),
    ]),
  );
}
