import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Problem } from '../domain/problem.js';
import { problemOf } from '../http/problem-reply.js';
import { boundedReply } from './replies/bounded-reply.js';
import type { Tool, ToolCall, Toolset } from './tool.js';
import { tools } from './tools/all.js';

/** What a request may use. */
export interface Choice {
  isReadOnly: boolean;
  /** Null: all. */
  toolsets: readonly Toolset[] | null;
}

/** The caller behind a request, and what a call of a tool needs. */
export interface Caller extends Choice, ToolCall {
  /** Counts a call against the limits of the API; throws `rate_limited`. */
  count: (organization: string | undefined) => Promise<void>;
  /** Notes an error that is none of the caller's. */
  onFault: (error: unknown) => void;
}

const instructions =
  'Slipway is a CI service with the API of Buildkite. org_slug is in user_token_organization. ' +
  'Of a failed build begin with get_build_failure_summary, then search_logs; explain_job says why a job waits. ' +
  'list_skills has texts on longer work.';

/** The JSON Schema of what a tool takes, in the dialect that clients assume where it names none. */
function schemaOf({ input }: Tool): { type: 'object' } {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema as { type: 'object' };
}

/** Descriptions of the tools as clients list them, made once. */
const listed = new Map(
  tools.map((tool) => [
    tool.name,
    {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: schemaOf(tool),
      annotations: {
        readOnlyHint: tool.isReadOnly,
        destructiveHint: tool.isDestructive,
        idempotentHint: tool.isIdempotent,
        openWorldHint: false,
      },
    },
  ]),
);

/** A server of MCP for one request: the tools that it may use, each performed for its caller. */
export function toolServer(version: string, caller: Caller): Server {
  const server = new Server({ name: 'slipway', version }, { capabilities: { tools: {} }, instructions });
  const usable = tools.filter(
    ({ toolset, isReadOnly }) =>
      (isReadOnly || !caller.isReadOnly) && (caller.toolsets === null || caller.toolsets.includes(toolset)),
  );
  server.setRequestHandler('tools/list', () => ({ tools: usable.flatMap(({ name }) => listed.get(name) ?? []) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = usable.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}`);
    return callTool(tool, params.arguments ?? {}, caller);
  });
  return server;
}

async function callTool(tool: Tool, raw: Record<string, unknown>, caller: Caller) {
  try {
    const args = tool.input.safeParse(raw);
    if (!args.success) return refusal(z.prettifyError(args.error));
    const organization: unknown = args.data['org_slug'];
    await caller.count(typeof organization === 'string' ? organization : undefined);
    const reply = boundedReply(await tool.run(caller, args.data));
    return { content: [{ type: 'text' as const, text: JSON.stringify(reply) }], structuredContent: reply };
  } catch (error) {
    const problem = problemOf(error);
    if (problem) return refusal(sentenceOf(problem));
    // The request was canceled: nobody reads the reply.
    if (!caller.signal.aborted) caller.onFault(error);
    return refusal('Internal error. Please try again.');
  }
}

const refusal = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true });

/** What was refused and why, with the fields of the input that it is about. */
function sentenceOf(problem: Problem): string {
  const fields = (problem.details.fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  const again = problem.details.retryAfter === undefined ? [] : [`Try again in ${problem.details.retryAfter} seconds.`];
  return [problem.message, ...fields, ...again].join('\n');
}
