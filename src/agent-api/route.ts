import type { Json } from '../domain/pipelines/steps/step.js';
import type { AnyOperation, Operation } from '../core/operation.js';
import type { Subject } from '../core/subject.js';
import type { JsonList } from './json-list.js';
import type { BodyKind, ReadBody } from './request-body.js';
import type { StackRate } from './stack-rates.js';

/** A request as a route sees it: decoded path parameters, query, body. */
export interface AgentRequest extends ReadBody {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

/** One row of the table. */
export interface AgentRoute {
  method: 'get' | 'post' | 'put' | 'delete';
  /** With `:name` for path parameters. */
  path: string;
  operation: AnyOperation;
  body: BodyKind;
  /** Maps the request to the operation's input, which the operation validates. */
  input: (request: AgentRequest) => unknown;
  /** Returns the JSON answer, or a list that is answered in pages; may throw a problem that depends on the output. */
  reply: (output: never, request: AgentRequest) => Json | JsonList;
  status: number | ((output: never) => number);
  headers: Readonly<Record<string, string>>;
  /** Request budget that calls of this route spend, one for each stack; null for routes of agents. */
  rate: StackRate | null;
}

/** Returns a row of the table; the types ensure that `reply` takes the operation's output. */
export function route<Input, S extends Subject, Output>(
  method: AgentRoute['method'],
  path: string,
  operation: Operation<Input, S, Output>,
  row: {
    body?: BodyKind;
    input?: (request: AgentRequest) => unknown;
    reply?: (output: Output, request: AgentRequest) => Json | JsonList;
    status?: number | ((output: Output) => number);
    headers?: Readonly<Record<string, string>>;
    rate?: StackRate;
  },
): AgentRoute {
  return {
    method,
    path,
    operation,
    body: row.body ?? 'json',
    input: row.input ?? (() => ({})),
    reply: row.reply ?? (() => ({})),
    status: row.status ?? 200,
    headers: row.headers ?? {},
    rate: row.rate ?? null,
  };
}
