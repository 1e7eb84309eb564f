import type { Request, Response } from 'express';
import type { Context } from '../request/context.js';
import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import type { AnyOperation, Operation } from '../core/operation.js';
import type { Page } from '../core/paging.js';
import type { Subject } from '../core/subject.js';
import type { SchemaName } from './openapi/schemas.js';
import type { RestRequest } from './requests/request.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Request and response that a handler of a streamed reply gets, besides the output. */
export interface Exchange {
  request: Request;
  response: Response;
  /** The request as routes read it. */
  restRequest: RestRequest;
}

/** Conversion of an operation's output to a reply. */
export type RouteReply<Output> =
  | {
      kind: 'object';
      status: 200 | 201 | 202;
      schema: SchemaName;
      present: (context: Context, output: Output, request: RestRequest) => Promise<JsonObject>;
    }
  /** Several things that one command made: the body is a bare array. */
  | {
      kind: 'objects';
      status: 201;
      schema: SchemaName;
      present: (context: Context, output: Output, request: RestRequest) => Promise<JsonObject[]>;
    }
  | { kind: 'empty' }
  /** 302: the address in `Location` and, for clients that do not follow, in the body as `url`. */
  | { kind: 'redirect'; target: (context: Context, output: Output) => string }
  /** Writes the reply itself; media types are for the documents. */
  | {
      kind: 'stream';
      contents: Readonly<Record<string, SchemaName>>;
      send: (context: Context, output: Output, exchange: Exchange) => Promise<void>;
    };

/**
 * A list. `page`: the body is a bare array, numbered pages are linked in the `Link` header. `cursor`: the body holds
 * `items` and `links`, the header the same links.
 */
export interface PageReply<Row> {
  kind: 'page' | 'cursor';
  schema: SchemaName;
  present: (context: Context, row: Row, request: RestRequest) => Promise<JsonObject>;
}

/** A list that is never paged: the body is a bare array of all of it. */
export interface ListReply<Row> {
  kind: 'list';
  schema: SchemaName;
  present: (context: Context, row: Row, request: RestRequest) => Promise<JsonObject>;
}

/** A query parameter, for the documents. */
export interface QueryParameter {
  name: string;
  type: 'string' | 'id' | 'integer' | 'boolean' | 'time' | 'list' | 'map';
  description: string;
  /** The only values that are taken, of a string or of the members of a list. */
  values?: readonly string[];
  /** Keys that a map may have at most. */
  mostKeys?: number;
  /** Whether requests without it are refused. */
  required?: true;
  example?: Json;
}

/** A status of one route: its meaning and, if it has a body, its media type and schema. */
export interface AlsoAnswers {
  description: string;
  contents?: Readonly<Record<string, SchemaName>>;
  /** Headers that are always present, with their descriptions. */
  headers?: Readonly<Record<string, string>>;
}

interface RouteDefinition<ReplyForm> {
  method: Method;
  /** Below `/v2`, with parameters in braces as OpenAPI writes them. */
  path: string;
  /** From the request to the operation's input, in camelCase: names only, values are the operation's to judge. */
  input: (request: RestRequest) => unknown;
  reply: ReplyForm;
  query?: readonly QueryParameter[];
  /** Whether the route takes fields of the operation's input in its body. */
  takesBody?: boolean;
  /** Statuses of refusals that only writes have as a rule, where a read has them too, for the documents. */
  refuses?: readonly 422[];
  /** Documented statuses besides those common to all routes of the kind. */
  also?: Readonly<Record<number, AlsoAnswers>>;
  /** Fields that the body requires although the operation does not, because other surfaces leave them out. */
  requires?: readonly string[];
  /** Whether the route looks at the version that a client names in a header. */
  versioned?: true;
  /** Distinguishes the routes of one operation in the documents' operation ids. */
  variant?: string | undefined;
}

// Routes of every output are kept in one list; the functions below check each against its operation.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Route = RouteDefinition<RouteReply<any> | PageReply<any> | ListReply<any>> & { operation: AnyOperation };

/** One row of THE table: an operation and its REST route. */
export function route<Input, S extends Subject, Output>(
  operation: Operation<Input, S, Output>,
  definition: RouteDefinition<RouteReply<Output>>,
): Route {
  return { operation, ...definition };
}

/** The same for an operation that returns a page. */
export function listRoute<Input, S extends Subject, Row>(
  operation: Operation<Input, S, Page<Row>>,
  definition: RouteDefinition<PageReply<Row>>,
): Route {
  return { operation, ...definition };
}

/** The same for an operation that returns everything there is. */
export function wholeListRoute<Input, S extends Subject, Row>(
  operation: Operation<Input, S, readonly Row[]>,
  definition: RouteDefinition<ListReply<Row>>,
): Route {
  return { operation, ...definition };
}
