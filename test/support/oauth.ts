import { createHash, randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { mcpRouter } from '../../src/mcp/router.js';
import { restSurface } from '../../src/rest/router.js';
import { wellKnownRouter } from '../../src/web/well-known.js';
import { type Browser, ConsoleWorld } from './browser.js';
import { requestsTo } from './requests.js';

export const callback = 'http://127.0.0.1:7777/callback';

/** A world in which programs ask the member for access, at the whole of the product. */
export class OauthWorld {
  private constructor(
    readonly on: ConsoleWorld,
    readonly stopMcp: () => Promise<void>,
  ) {}

  static async open(): Promise<OauthWorld> {
    let stop = async () => undefined as unknown;
    const on = await ConsoleWorld.open({
      beside: (services) => {
        const mcp = mcpRouter(services, '1.2.3');
        stop = mcp.stop;
        return [
          { path: '/v2', ...restSurface(services) },
          { path: '/mcp', router: mcp.router },
          { path: '/.well-known', router: wellKnownRouter(services) },
        ];
      },
    });
    await on.setPassword(on.world.member.id, 'correct horse');
    return new OauthWorld(on, async () => void (await stop()));
  }

  async close(): Promise<void> {
    await this.stopMcp();
    await this.on.close();
  }

  get db() {
    return this.on.world.services.db;
  }

  /** A browser in which the member is signed in. */
  async signedIn(): Promise<Browser> {
    const browser = this.on.browser();
    const { status } = await browser.signIn(this.on.world.member.email, 'correct horse');
    if (status !== 303) throw new Error(`the member could not sign in: ${status}`);
    return browser;
  }

  /** Registers a program; returns its `client_id`. */
  async register(redirectUris = [callback], name = 'A program'): Promise<string> {
    const reply = await this.post('/oauth/register', { client_name: name, redirect_uris: redirectUris });
    if (reply.status !== 201) throw new Error(`not registered: ${reply.text}`);
    return reply.body.client_id;
  }

  post(path: string, body: object): Promise<Response> {
    return requestsTo(this.on.server).post(path).send(body) as unknown as Promise<Response>;
  }

  form(path: string, fields: Record<string, string>): Promise<Response> {
    return requestsTo(this.on.server)
      .post(path)
      .type('form')
      .send(new URLSearchParams(fields).toString()) as unknown as Promise<Response>;
  }

  /** The answer of the member to a request for access. */
  answer(browser: Browser, path: string, fields: Record<string, string | string[]> = {}): Promise<Response> {
    const given: Record<string, string | string[]> = {
      user: this.on.world.member.id,
      decision: 'allow',
      organization: this.on.world.organization.id,
      scope: ['read_builds', 'read_user'],
      ...fields,
    };
    const form = new URLSearchParams();
    for (const [name, values] of Object.entries(given)) for (const value of [values].flat()) form.append(name, value);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    return browser.send('post', path, headers, form.toString());
  }
}

export interface Ask {
  client: string;
  verifier: string;
  /** Path and query of the request for access. */
  path: string;
}

/** A request of a program for access, with parameters replaced or, by null, left out. */
export function ask(client: string, changes: Record<string, string | null> = {}): Ask {
  const verifier = randomBytes(32).toString('base64url');
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id: client,
    redirect_uri: callback,
    scope: 'read_builds read_user write_builds',
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return { client, verifier, path: `/oauth/authorize?${new URLSearchParams(given).toString()}` };
}

/** Where a reply sends its browser; throws for one that does not. */
export function sentTo(reply: Response): URL {
  const location = reply.headers['location'] as string | undefined;
  if (location === undefined) throw new Error(`sent nowhere: ${reply.status} ${reply.text}`);
  return new URL(location);
}

export const codeOf = (reply: Response): string => sentTo(reply).searchParams.get('code') ?? '';
