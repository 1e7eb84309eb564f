import type { Json } from '../domain/steps/step.js';
import type { AnyOperation, Operation } from '../operations/operation.js';
import type { Subject } from '../operations/subject.js';
import type { BodyKind, ReadBody } from './request-body.js';

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
  /** Renames what arrives; the operation checks it. */
  input: (request: AgentRequest) => unknown;
  /** The JSON answer; may throw a problem that follows from what was done. */
  reply: (output: never, request: AgentRequest) => Json;
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** A row whose parts fit each other: what the operation returns is what the reply is made of. */
export function route<Input, S extends Subject, Output>(
  method: AgentRoute['method'],
  path: string,
  operation: Operation<Input, S, Output>,
  row: { body?: BodyKind; input?: (request: AgentRequest) => unknown; reply?: (output: Output, request: AgentRequest) => Json; status?: number; headers?: Readonly<Record<string, string>> },
): AgentRoute {
  return { method, path, operation, body: row.body ?? 'json', input: row.input ?? (() => ({})), reply: row.reply ?? (() => ({})), status: row.status ?? 200, headers: row.headers ?? {} };
}
