import type { Context } from '../../request/context.js';
import type { Exchange } from '../route.js';
import { sendReply } from './send-reply.js';

/**
 * Sends the environment of a job as JSON (`{env}`) or as text with one KEY=VALUE per line, chosen by suffix or Accept.
 * Values with line breaks are quoted, as dotenv readers expect.
 */
export function sendEnv(form: 'negotiated' | 'text') {
  return async (
    _context: Context,
    { env }: { env: Record<string, string> },
    { request, response }: Exchange,
  ): Promise<void> => {
    const asText = form === 'text' || request.accepts(['application/json', 'text/plain']) === 'text/plain';
    if (!asText) return sendReply(response, { status: 200, body: JSON.stringify({ env }) });
    const lines = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}\n`);
    sendReply(response, { status: 200, body: lines.join('') }, 'text/plain; charset=utf-8');
  };
}

function quoted(value: string): string {
  return /[\r\n]/.test(value) ? JSON.stringify(value) : value;
}
