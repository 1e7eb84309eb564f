import { AgentHttp, AgentHttpError, type AgentReply, type AgentRequest } from '../http.js';
import type { AgentLog } from '../options.js';
import { type policies, Retrier } from '../retry.js';
import { userAgent } from '../user-agent.js';
import { CommandFailure, type CommandIo } from './command-io.js';

export interface ServerOptions {
  endpoint?: string;
  agentAccessToken?: string;
  debug?: boolean;
}

/** Calls of the agent protocol with the token of the job that a command runs in. */
export class ServerCalls {
  private readonly http: AgentHttp;
  readonly retrier: Retrier;

  /** @throws CommandFailure outside a job, where nothing names server and token */
  constructor(
    private readonly io: CommandIo,
    private readonly options: ServerOptions,
  ) {
    const endpoint = required(options.endpoint, 'endpoint', 'BUILDKITE_AGENT_ENDPOINT');
    this.http = new AgentHttp(endpoint, userAgent(io.version));
    this.http.setRequestHeaders(requestHeaders(io.env));
    this.retrier = new Retrier(commandLog(io, options.debug), io.retryScale);
  }

  get token(): string {
    const { agentAccessToken } = this.options;
    return required(
      agentAccessToken ?? this.io.env['BUILDKITE_AGENT_ACCESS_TOKEN'],
      'agent-access-token',
      'BUILDKITE_AGENT_ACCESS_TOKEN',
    );
  }

  get agentHttp(): AgentHttp {
    return this.http;
  }

  /**
   * Makes one call, retried under its policy, and returns the whole reply.
   * @throws AgentHttpError
   */
  exchange(
    policy: keyof typeof policies,
    method: string,
    path: string,
    request: Omit<AgentRequest, 'token'> = {},
  ): Promise<AgentReply> {
    return this.retrier.run(policy, (attempt) =>
      this.http.exchange(method, path, {
        ...request,
        headers: { ...request.headers, 'X-Buildkite-Backoff-Sequence': String(attempt) },
        token: this.token,
      }),
    );
  }

  /** Like `exchange`; returns the JSON object of the reply, empty for a reply without one. */
  async call(
    policy: keyof typeof policies,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<Record<string, unknown>> {
    const value = await this.callForJson(policy, method, path, json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  }

  async callForJson(policy: keyof typeof policies, method: string, path: string, json?: unknown): Promise<unknown> {
    const { text } = await this.exchange(policy, method, path, { json });
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw new AgentHttpError(`${method} ${path}: the answer is not JSON`, 'body');
    }
  }
}

/** Returns a string member of a reply. */
export function textOf(reply: Readonly<Record<string, unknown>>, name: string): string {
  const value = reply[name];
  if (typeof value !== 'string') throw new AgentHttpError(`the answer has no "${name}"`, 'body');
  return value;
}

/** Returns an option's value, which usually comes from the job's environment. */
export function required(value: string | undefined, option: string, variable: string): string {
  if (value) return value;
  throw new CommandFailure(`Missing --${option}: in a job it comes from the variable ${variable}.`);
}

/** Writes warnings and errors to standard error; with `debug` everything. */
export function commandLog(io: CommandIo, debug = false): AgentLog {
  const write = (level: string) => (_: Record<string, unknown>, message: string) => io.err(`${level}: ${message}\n`);
  const silent = (): void => undefined;
  return {
    debug: debug ? write('debug') : silent,
    info: debug ? write('info') : silent,
    warn: write('warning'),
    error: write('error'),
  };
}

/** The headers that the server asked for at registration, as the agent exports them to its jobs. */
function requestHeaders(env: CommandIo['env']): Record<string, string> {
  const prefix = 'BUILDKITE_REQUEST_HEADER_';
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined
        ? [[`Buildkite-${name.slice(prefix.length).toLowerCase().replaceAll('_', '-')}`, value]]
        : [],
    ),
  );
}
