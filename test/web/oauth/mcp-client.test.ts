import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Data } from '../../support/both-surfaces.js';
import { callback, OauthWorld, sentTo } from '../../support/oauth.js';

let world: OauthWorld;
beforeAll(async () => {
  world = await OauthWorld.open();
}, 60_000);
afterAll(() => world.close());

/** What a program of the official SDK keeps between its steps. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: 'A model', redirect_uris: [callback], grant_types: ['authorization_code'] };
  asksAt: URL | null = null;
  given: OAuthTokens | undefined;
  private information: OAuthClientInformationMixed | undefined;
  private verifier = '';
  private found: OAuthDiscoveryState | undefined;
  private sent = 0;

  state = () => `state-${(this.sent += 1)}`;
  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) => void (this.information = information);
  tokens = () => this.given;
  saveTokens = (tokens: OAuthTokens) => void (this.given = tokens);
  redirectToAuthorization = (url: URL) => void (this.asksAt = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (found: OAuthDiscoveryState) => void (this.found = found);
  discoveryState = () => this.found;
}

const connect = async (program: Program, era: 'auto' | 'legacy', path = '/mcp') => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(world.on.url + path), { authProvider: program });
  return { client, transport, open: () => client.connect(transport) };
};

/** What the person does whom the program sends to the browser. */
async function letIn(program: Program, scopes: string[]): Promise<URLSearchParams> {
  const { asksAt } = program;
  const browser = await world.signedIn();
  const page = await browser.get(`${asksAt?.pathname}${asksAt?.search}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('<strong>A model</strong>');
  return sentTo(await world.answer(browser, `${asksAt?.pathname}${asksAt?.search}`, { scope: scopes })).searchParams;
}

test.each(['auto', 'legacy'] as const)(
  'a client of the official SDK, %s, finds the server, registers, asks its person, and lists tools',
  async (era) => {
    const program = new Program();
    const first = await connect(program, era);
    await expect(first.open()).rejects.toThrow(UnauthorizedError);
    const { searchParams } = program.asksAt as URL;
    expect(searchParams.get('resource')).toBe(`${world.on.url}/mcp`);
    expect(searchParams.get('scope')).toContain('read_build_logs');
    const answer = await letIn(program, ['read_builds', 'read_user']);
    expect(Object.fromEntries(answer)).toEqual({
      code: expect.any(String),
      state: searchParams.get('state'),
      iss: world.on.url,
    });
    await first.transport.finishAuth(answer);
    expect(program.given).toEqual({
      access_token: expect.stringMatching(/^bkoa_[0-9a-f]{40}$/),
      token_type: 'Bearer',
      expires_in: 30 * 86_400,
      scope: 'read_builds read_user',
      issuer: expect.anything(),
    });
    const { client, open } = await connect(program, era);
    await open();
    expect((await client.listTools()).tools.length).toBeGreaterThan(50);
    const me: Data = await client.callTool({ name: 'current_user', arguments: {} });
    expect(me.structuredContent.email).toBe(world.on.world.member.email);
    await client.close();
  },
);

test('a tool that the token may not has the program ask its person for more, and goes on with it', async () => {
  const program = new Program();
  const first = await connect(program, 'auto', '/mcp/readonly');
  await expect(first.open()).rejects.toThrow(UnauthorizedError);
  expect(program.asksAt?.searchParams.get('scope')).not.toContain('write_');
  await first.transport.finishAuth(await letIn(program, ['read_user']));
  const { client, transport, open } = await connect(program, 'auto');
  await open();
  const list = () => client.callTool({ name: 'list_builds', arguments: { org_slug: 'acme' } });
  await expect(list()).rejects.toThrow();
  expect(program.asksAt?.searchParams.get('scope')?.split(' ').sort()).toEqual(
    expect.arrayContaining(['read_builds', 'read_user']),
  );
  await transport.finishAuth(await letIn(program, ['read_user', 'read_builds']));
  const result: Data = await list();
  expect(result.isError).not.toBe(true);
  expect(result.structuredContent.items).toEqual([]);
  await client.close();
});
