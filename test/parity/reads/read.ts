import type { Data, GraphqlCall } from '../../support/both-surfaces.js';

/** Values for the parameters of a route's path. */
export type At = Readonly<Record<string, string>>;

/** One REST read and its GraphQL equivalent: the selection, and how its data maps to the REST reply. */
export interface Read {
  graphql: (at: At) => GraphqlCall;
  /** The whole reply as GraphQL has it: every field is there, or stands as a `leftOut` with its reason. */
  mapped: (data: Data, at: At) => Data;
  /** Query parameters that make the reply show every field. */
  query?: string;
  /** Whether the list is ordered differently on each surface; it is then compared by id. */
  anyOrder?: true;
  /** Extracts the compared value of a reply that is not JSON. */
  of?: (reply: { body: Data; text: string }) => Data;
}

/**
 * Stands for a field that GraphQL does not have: any value matches, but the field must be there, so that none outlives
 * it.
 */
class LeftOut {
  readonly $$typeof = Symbol.for('jest.asymmetricMatcher');
  constructor(
    readonly reason: string,
    private readonly matches: (value: unknown) => boolean = (value) => value !== undefined,
  ) {}

  asymmetricMatch(value: unknown): boolean {
    return this.matches(value);
  }

  toString(): string {
    return 'LeftOut';
  }

  toAsymmetricMatcher(): string {
    return `LeftOut<${this.reason}>`;
  }
}

const atV2 = /^http:\/\/slipway\.test\/v2\//;
const onConsole = /^http:\/\/slipway\.test\/(?!v2\/)/;

/** Every reason for a field of /v2 that GraphQL does not have. The list only gets shorter. */
export const leftOut = {
  address: new LeftOut(
    'an address of /v2, which the schema does not speak of',
    (value) => typeof value === 'string' && atV2.test(value),
  ),
  noAddress: new LeftOut('an address of /v2, of a thing that is not there', (value) => value === null),
  page: new LeftOut(
    'a page that is made of names which the schema gives',
    (value) => typeof value === 'string' && onConsole.test(value),
  ),
  always: new LeftOut(
    'there for clients that decode it, and always the same',
    (value) => value === null || value === 3 || value === 'Webhook',
  ),
  read: new LeftOut('what the YAML of the steps says, which the schema gives'),
} as const;

export const lower = (word: string | null): string | null => word?.toLowerCase() ?? null;
export const nodesOf = (connection: Data): Data[] => connection.edges.map(({ node }: Data) => node);
/** Lists of `KEY=value` as an object. */
export const mapOf = (lines: string[]) =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
export const nodeId = (kind: string, uuid: string | undefined): string =>
  Buffer.from(`${kind}---${uuid}`).toString('base64');

export const userFields = 'id uuid name email createdAt avatar { url }';
export const user = (found: Data) =>
  found && {
    id: found.uuid,
    graphql_id: found.id,
    name: found.name,
    email: found.email,
    avatar_url: found.avatar.url,
    created_at: found.createdAt,
  };

/** A selection below the organization. */
export const inAcme = (selection: string, variables: object = {}, declared = ''): GraphqlCall => [
  `query ${declared && `(${declared})`} { organization(slug: "acme") { ${selection} } }`,
  variables,
];

/** A list below the organization, or below the field at the end of a path of fields. */
export function list(
  call: (at: At) => GraphqlCall,
  path: string,
  mapped: (node: Data, at: At) => Data,
  more: Partial<Read> = {},
): Read {
  return {
    graphql: call,
    mapped: (data, at) =>
      nodesOf(path.split('.').reduce((value, name) => value[name], data)).map((node) => mapped(node, at)),
    ...more,
  };
}

/** One resource, below the field at the end of a path of fields. */
export function one(
  call: (at: At) => GraphqlCall,
  path: string,
  mapped: (found: Data, at: At) => Data,
  more: Partial<Read> = {},
): Read {
  return {
    graphql: call,
    mapped: (data, at) =>
      mapped(
        path.split('.').reduce((value, name) => value[name], data),
        at,
      ),
    ...more,
  };
}

/** A resource by its node id, where GraphQL has no other field to read it by. */
export function byNodeId(
  kind: string,
  type: string,
  id: (at: At) => string | undefined,
  fields: string,
  mapped: (found: Data, at: At) => Data,
  more: Partial<Read> = {},
): Read {
  return one(
    (at) => [`query ($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`, { id: nodeId(kind, id(at)) }],
    'node',
    mapped,
    more,
  );
}

const rule = '{ days count }';
/** The fields selected of a retention policy. */
export const pipelineRetentionFields = `builds ${rule} logs ${rule} artifacts ${rule} overrides { branches builds ${rule} logs ${rule} artifacts ${rule} last }`;
export const organizationRetentionFields = `builds ${rule} logs ${rule} artifacts ${rule} runs { days } audit { days }`;

/** A policy without the fields that it does not have: GraphQL shows them as null. */
export function withoutNulls(value: Data): Data {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, withoutNulls(inner)]),
  );
}
