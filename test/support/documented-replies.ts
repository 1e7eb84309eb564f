import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { openApiDocument } from '../../src/rest/openapi.js';

/** The reply that a test received, whichever client it used. */
export interface SeenReply {
  status: number;
  headers: Record<string, unknown>;
  /** As it came. */
  text: string | undefined;
}

interface Described {
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, { schema: object }>;
  $ref?: string;
}
type Operations = Record<string, { responses: Record<string, Described> }>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Document = any;

/** A validator for schemas that may refer to the document's components. */
function documentValidator(document: Document): Ajv2020 {
  // OpenAPI's own keywords, and formats that only describe a number, are not JSON Schema keywords.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    allowUnionTypes: true,
  });
  (ajvFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addVocabulary(['components', 'example', 'discriminator']);
  for (const format of ['int64']) ajv.addFormat(format, true);
  ajv.addSchema({ $id: 'openapi.json', components: { schemas: document.components.schemas } });
  return ajv;
}

/**
 * Forbids every object in a schema to have properties that it does not declare: clients must take them, replies have
 * none.
 */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'example' || key === 'enum' ? value : closed(value)]),
  );
  const isObject = [inner['type']].flat().includes('object') && typeof inner['properties'] === 'object';
  return isObject && inner['additionalProperties'] === undefined ? { ...inner, additionalProperties: false } : inner;
}

/** Makes validators of schemas that may refer to the document's components; equal schemas are compiled once. */
export function documentCompiler(document: Document): (schema: object) => ValidateFunction {
  const ajv = documentValidator(document);
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, validate);
    return validate;
  };
}

/**
 * Checks replies of /v2 against openapi.json: an undocumented status, media type or field fails, and so does a missing
 * required header. One instance serves a worker; schemas are compiled at
 * their first use, equal ones once.
 */
export class DocumentedReplies {
  private static shared: DocumentedReplies | null = null;
  private readonly document: Document;
  private readonly compile: (schema: object) => ValidateFunction;
  private readonly paths: [template: string, pattern: RegExp][];
  /** By path, method, status and media type. */
  private readonly validators = new Map<string, ValidateFunction>();

  static get instance(): DocumentedReplies {
    return (this.shared ??= new DocumentedReplies());
  }

  constructor() {
    this.document = JSON.parse(JSON.stringify(openApiDocument('http://slipway.test')));
    this.compile = documentCompiler(closed(this.document));
    // A literal path segment takes precedence over a parameter in its place.
    const templates = Object.keys(this.document.paths).sort((a, b) => a.split('{').length - b.split('{').length);
    this.paths = templates.map((template) => [
      template,
      new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    ]);
  }

  /** Throws with the difference unless the document describes this reply. `url` begins with /v2. */
  check(method: string, url: string, reply: SeenReply): void {
    const path = url.split('?', 1)[0] ?? '';
    if (path.replace(/\/$/, '') === '/v2/openapi.json') return;
    const where = `${method.toUpperCase()} ${path} answered ${reply.status}`;
    const template = this.paths.find(([, pattern]) => pattern.test(path))?.[0];
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
    const operations: Operations = template === undefined ? {} : this.document.paths[template];
    const operation = operations[verb];
    if (template !== undefined && verb === 'options' && reply.status === 204)
      return this.checkHeaders(where, { headers: { Allow: { required: true } } }, reply);
    const component = operation ? operation.responses[reply.status] : this.outside(template, reply.status);
    if (!component) throw new Error(`${where}: no such status in openapi.json`);
    const described = component.$ref
      ? (this.document.components.responses[component.$ref.split('/').at(-1) ?? ''] as Described)
      : component;
    this.checkHeaders(where, described, reply);
    if (method.toLowerCase() !== 'head')
      this.checkBody(where, `${template ?? ''} ${verb} ${reply.status}`, described, reply);
  }

  /** The documented reply for a path or method outside the route table. */
  private outside(template: string | undefined, status: number): Described | undefined {
    const name = {
      400: 'BadRequest',
      404: template === undefined ? 'NotFound' : undefined,
      405: template === undefined ? undefined : 'MethodNotAllowed',
    }[status];
    return name === undefined ? undefined : this.document.components.responses[name];
  }

  private checkHeaders(where: string, { headers = {} }: Described, reply: SeenReply): void {
    for (const [name, header] of Object.entries(headers)) {
      const { required } = header.$ref ? this.document.components.headers[name] : header;
      if (required && reply.headers[name.toLowerCase()] === undefined) throw new Error(`${where} without ${name}`);
    }
  }

  private checkBody(where: string, key: string, { content }: Described, { headers, text = '' }: SeenReply): void {
    if (!content) {
      if (text !== '') throw new Error(`${where} with a body, which openapi.json does not say`);
      return;
    }
    const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const media = content[type];
    if (!media) throw new Error(`${where} as ${type || 'nothing'}, which openapi.json does not say`);
    const validate = this.validators.get(`${key} ${type}`) ?? this.compile(media.schema);
    this.validators.set(`${key} ${type}`, validate);
    if (validate(type === 'application/json' ? JSON.parse(text) : text)) return;
    const problems = (validate.errors ?? [])
      .slice(0, 8)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
    throw new Error(`${where}, otherwise than openapi.json says:\n${problems.join('\n')}`);
  }
}
