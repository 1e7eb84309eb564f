import { SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { note } from '../output.js';

/** Bytes of a message that a client sends. */
const messageBytes = 1024 * 1024;
/** Code of JSON-RPC for an error of the server's own making. */
const failed = -32_000;

/**
 * Carries the messages of an MCP client on standard input and output to the server at an address, and its replies back,
 * until the client closes standard input. A request that the server does not take is answered with the reason.
 */
export async function bridgeTools(endpoint: URL, token: string): Promise<void> {
  const client = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageBytes });
  const server = new StreamableHTTPClientTransport(endpoint, {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  server.onmessage = (message) => void client.send(message).catch(() => undefined);
  server.onerror = (error) => void note(`slipway mcp: ${sentenceOf(error, endpoint)}`);
  client.onerror = (error) => void note(`slipway mcp: ${error.message}`);
  client.onmessage = (message) => {
    server.send(message).catch((error: unknown) => {
      const reply = refusalOf(message, sentenceOf(error, endpoint));
      if (reply) void client.send(reply).catch(() => undefined);
    });
  };
  await server.start();
  await client.start();
  await closed;
  await Promise.all([client.close(), server.close()]);
}

function refusalOf(message: JSONRPCMessage, text: string): JSONRPCMessage | null {
  if (!('method' in message) || !('id' in message)) return null;
  return { jsonrpc: '2.0', id: message.id, error: { code: failed, message: text } };
}

function sentenceOf(error: unknown, endpoint: URL): string {
  if (error instanceof SdkHttpError && error.status === 401)
    return 'The server does not take the token: it is wrong, revoked or expired.';
  const { message } = error as Error;
  return /fetch failed|ECONNREFUSED/.test(message) ? `${endpoint.href} does not answer` : message;
}
