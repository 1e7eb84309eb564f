import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { openApiDocument } from '../../src/rest/openapi.js';

/** What a test got back, from whichever client it used. */
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
export function documentValidator(document: Document): Ajv2020 {
  // Words of OpenAPI, and formats that only say what a number is for, are no schema keywords.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, allowUnionTypes: true });
  (ajvFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addVocabulary(['components', 'example']);
  ajv.addSchema({ $id: 'openapi.json', components: { schemas: document.components.schemas } });
  return ajv;
}

/** The same schema with its references leading into the document that {@link documentValidator} knows. */
export const rooted = (schema: object): object => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/')) as object;

/**
 * Holds replies of /v2 against openapi.json: an undocumented status, media type or field fails, and so does a header
 * that is always there and was not. Made once a test file; shapes are compiled when they are first seen.
 */
export class DocumentedReplies {
  private static shared: DocumentedReplies | null = null;
  private readonly document: Document;
  private readonly ajv: Ajv2020;
  private readonly paths: [template: string, pattern: RegExp][];
  private readonly compiled = new Map<string, ValidateFunction>();

  static get instance(): DocumentedReplies {
    return (this.shared ??= new DocumentedReplies());
  }

  constructor() {
    this.document = JSON.parse(JSON.stringify(openApiDocument('http://slipway.test')));
    this.ajv = documentValidator(this.document);
    // A word in a path is more than a parameter in its place.
    const templates = Object.keys(this.document.paths).sort((a, b) => a.split('{').length - b.split('{').length);
    this.paths = templates.map((template) => [template, new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`)]);
  }

  /** Throws, saying what differs, unless the document describes this reply. `url` begins with /v2. */
  check(method: string, url: string, reply: SeenReply): void {
    const path = url.split('?', 1)[0] ?? '';
    if (path.replace(/\/$/, '') === '/v2/openapi.json') return;
    const where = `${method.toUpperCase()} ${path} answered ${reply.status}`;
    const template = this.paths.find(([, pattern]) => pattern.test(path))?.[0];
    const asked = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
    const operations: Operations = template === undefined ? {} : this.document.paths[template];
    const operation = operations[asked];
    if (template !== undefined && asked === 'options' && reply.status === 204) return this.checkHeaders(where, { headers: { Allow: { required: true } } }, reply);
    const component = operation ? operation.responses[reply.status] : this.outside(template, reply.status);
    if (!component) throw new Error(`${where}: no such status in openapi.json`);
    const described = component.$ref ? (this.document.components.responses[component.$ref.split('/').at(-1) ?? ''] as Described) : component;
    this.checkHeaders(where, described, reply);
    if (method.toLowerCase() !== 'head') this.checkBody(where, `${template ?? ''} ${asked} ${reply.status}`, described, reply);
  }

  /** What paths and methods that are not in the table answer. */
  private outside(template: string | undefined, status: number): Described | undefined {
    const name = { 400: 'BadRequest', 404: template === undefined ? 'NotFound' : undefined, 405: template === undefined ? undefined : 'MethodNotAllowed' }[status];
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
    const validate = this.compiled.get(`${key} ${type}`) ?? this.ajv.compile(rooted(media.schema));
    this.compiled.set(`${key} ${type}`, validate);
    if (validate(type === 'application/json' ? JSON.parse(text) : text)) return;
    const problems = (validate.errors ?? []).slice(0, 8).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
    throw new Error(`${where}, otherwise than openapi.json says:\n${problems.join('\n')}`);
  }
}
