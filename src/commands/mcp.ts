import { Command, Option } from 'commander';
import { WrongUsage } from './wrong-usage.js';

interface Options {
  endpoint: string;
  token?: string;
}

/** `slipway mcp`: the tools of a running server on standard input and output, for clients that start programs. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'Serve the tools of a running server to an MCP client, on standard input and output. ' +
        'What the tools may do is what the scopes of the API token allow.',
    )
    .option('--endpoint <url>', 'the server, such as https://ci.example.com', 'http://localhost:3000')
    .addOption(new Option('--token <token>', 'an API token').env('SLIPWAY_API_TOKEN'))
    .action(serveTools);
}

async function serveTools({ endpoint, token }: Options): Promise<void> {
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new WrongUsage(`--endpoint: "${endpoint}" is not an http(s) URL`);
  if (!token) throw new WrongUsage('slipway mcp needs --token (or SLIPWAY_API_TOKEN)');
  const { bridgeTools } = await import('./mcp/bridge.js');
  await bridgeTools(new URL(`${endpoint.replace(/\/+$/, '')}/mcp`), token);
}
