import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Data } from '../support/both-surfaces.js';
import { temporaryDirectory } from '../support/database.js';
import { builtProgram, Program } from '../support/program.js';

/** Starts of whole processes with an empty database, on a machine that may be busy. */
const patience = 120_000;

describe('programs beside a running server with the embedded database', () => {
  const directory = temporaryDirectory();
  const env = { DATA_DIR: join(directory.path, 'data'), PORT: '0', LOG_LEVEL: 'warn' };
  let server: Program;
  let url: string;
  let token: string;
  beforeAll(async () => {
    server = Program.start(['dev', '--json'], env);
    const printed = JSON.parse((await server.until(/^\{[^]*\n\}\n/))[0]) as Data;
    ({ url, token } = printed);
    // The pipeline and its first build, as the program tells a newcomer to make them.
    for (const command of printed.commands.slice(0, 2)) execFileSync('/bin/sh', ['-c', command], { stdio: 'pipe' });
    const headers = { authorization: `Bearer ${token}` };
    const builds = `${url}/v2/organizations/demo/pipelines/hello/builds`;
    const read = async () => (await (await fetch(builds, { headers })).json()) as { state: string }[];
    await vi.waitFor(async () => expect((await read())[0]?.state).toBe('passed'), { timeout: 60_000, interval: 300 });
  }, patience);
  afterAll(async () => {
    await server.stop('SIGKILL');
    directory.remove();
  });

  async function open(given = token): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--no-warnings', builtProgram(), 'mcp', '--endpoint', url],
        env: { SLIPWAY_API_TOKEN: given, PATH: process.env['PATH'] ?? '' },
        stderr: 'ignore',
      }),
    );
    return client;
  }

  test(
    'slipway mcp gives a client of the SDK the tools of the server, until it closes',
    async () => {
      const client = await open();
      expect((await client.listTools()).tools.length).toBeGreaterThan(50);
      const { structuredContent }: Data = await client.callTool({
        name: 'list_builds',
        arguments: { org_slug: 'demo' },
      });
      expect(structuredContent.items[0]).toMatchObject({ state: 'passed' });
      await client.close();
    },
    patience,
  );

  test(
    'with a wrong token it says so, and without one how to give it',
    async () => {
      await expect(open('bkua_wrong')).rejects.toThrow(/does not take the token/);
      const { code, stderr } = await Program.run(['mcp', '--endpoint', url], {});
      expect([code, stderr]).toEqual([2, expect.stringContaining('SLIPWAY_API_TOKEN')]);
    },
    patience,
  );

  test(
    'slipway logs search finds lines while the server runs and once it is stopped',
    async () => {
      const search = (...args: string[]) => Program.run(['logs', 'search', ...args], env);
      const found = await search('hello', '--json', '--state', 'passed', '--since', '1h');
      expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' });
      const [line] = found.stdout.trim().split('\n');
      const match = JSON.parse(line ?? '') as Data;
      expect(match).toMatchObject({ build_number: 1, line: expect.any(Number) });
      expect(match.text.toLowerCase()).toContain('hello');
      expect(await search('no log has this')).toMatchObject({ code: 1, stderr: 'no line was found\n', stdout: '' });
      expect(await search('(', '--regexp')).toMatchObject({ code: 1, stdout: '' });
      expect((await search('a', '--organization', 'none')).stderr).toContain('there is no organization none');
      expect((await search('a', '--since', 'yesterday')).code).toBe(2);
      // The build passed: there is no extract, of any cluster.
      const nowhere = { code: 1, stderr: 'no line was found\n', stdout: '' };
      expect(await search('hello', '--in', 'extracts')).toMatchObject(nowhere);
      expect(await search('--in', 'extracts', '--cluster', 'a'.repeat(32))).toMatchObject(nowhere);
      await server.stop();
      const { stdout } = await search('hello', '--json', '--state', 'passed');
      // The port that the server had is not that of the configuration.
      const lines = (text: string) => text.replace(/"url":"[^"]*"/g, '');
      expect(lines(stdout)).toBe(lines(found.stdout));
    },
    patience,
  );
});
