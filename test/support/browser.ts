import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import { CredentialUses } from '../../src/auth/credential-uses.js';
import { hashPassword } from '../../src/auth/passwords.js';
import { graphqlRouter, type GraphqlSurface } from '../../src/graphql/server/router.js';
import { createApplication, type Surface } from '../../src/server/application.js';
import { Gate } from '../../src/server/gate.js';
import { acceptUpgrades } from '../../src/server/upgrades.js';
import { consoleRouter } from '../../src/web/router.js';
import { requestsTo } from './requests.js';
import { silent, World } from './world.js';

/** A world whose console and GraphQL answer on a port of their own. */
export class ConsoleWorld {
  private constructor(
    readonly world: World,
    readonly server: Server,
    private readonly graphql: GraphqlSurface,
  ) {}

  static async open(
    options: Parameters<typeof World.create>[0] & {
      folder?: string;
      /** Surfaces beside the console and GraphQL. */
      beside?: (services: World['services']) => Surface[];
    } = {},
  ): Promise<ConsoleWorld> {
    const world = await World.create(options);
    const { services } = world;
    services.credentialUses = new CredentialUses();
    const graphql = await graphqlRouter(services);
    const surfaces = [
      { path: '/graphql', router: graphql.router },
      ...(options.beside?.(services) ?? []),
      { path: '/', router: consoleRouter(services, { folder: options.folder ?? '/nonexistent' }) },
    ];
    const gate = new Gate(createApplication(services, surfaces, { metrics: false }));
    const server = createServer(gate.listener).listen(0, '127.0.0.1');
    acceptUpgrades(
      server,
      gate,
      (path) => (path === '/graphql' ? async (...args) => (graphql.upgrade(...args), true) : null),
      silent,
    );
    await once(server, 'listening');
    services.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new ConsoleWorld(world, server, graphql);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await this.graphql.stop();
    this.server.closeAllConnections();
    this.server.close();
    await this.world.close();
  }

  /** Gives a person a password, which is checked at little cost. */
  async setPassword(userId: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password, { N: 16, r: 8, p: 1 });
    await this.world.services.db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
  }

  /** A browser, with headers that a proxy in front of us would add. */
  browser(headers: Record<string, string> = {}): Browser {
    return new Browser(this.server, headers);
  }
}

/** A browser as far as servers notice: it keeps cookies and says where a request comes from. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly server: Server,
    readonly headers: Record<string, string> = {},
  ) {}

  /** The address bar: a request that no page sent. */
  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('get', path, { accept: 'text/html', 'sec-fetch-site': 'none', ...headers });
  }

  /** Submits a form of our own page. */
  submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const form = new URLSearchParams(fields).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send('post', path, { ...type, 'sec-fetch-site': 'same-origin', ...headers }, form);
  }

  /** A call of GraphQL by a script of our own page. */
  async query(query: string, variables: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(
      'post',
      '/graphql',
      { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      JSON.stringify({ query, variables }),
    );
  }

  signIn(email: string, password: string, path = '/login'): Promise<Response> {
    return this.submit(path, { email, password });
  }

  /** The `Cookie` header. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(
    method: 'get' | 'post' | 'head',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Response> {
    const call = requestsTo(this.server)
      [method](path)
      .redirects(0)
      .set({ ...this.headers, ...headers, ...(this.cookies.size > 0 ? { cookie: this.cookie } : {}) });
    const reply = await (body === undefined ? call : call.send(body));
    for (const line of (reply.get('Set-Cookie') ?? []) as string[]) this.keep(line);
    return reply;
  }

  private keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
