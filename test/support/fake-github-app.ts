import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { seal } from '../../src/auth/sealed.js';
import { sealToken } from '../../src/engine/notifications/connection-access.js';
import type { World } from './world.js';

/** A token as GitHub mints one for an installation. */
export interface FakeInstallationToken {
  token: string;
  /** Names of repositories that it is narrowed to; null for all of the installation. */
  repositories: string[] | null;
  permissions: Record<string, string>;
  expiresAt: Date;
}

export interface FakeCheckRun {
  id: number;
  repository: string;
  fields: Record<string, unknown> & { output?: { annotations?: unknown[] } };
  /** Annotations of all requests: a later one adds to those before. */
  annotations: unknown[];
  /** Number of requests that made or changed it. */
  requests: number;
}

interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

/**
 * As much of GitHub's API as an App needs, on loopback: it believes tokens signed with the App's key, mints tokens of
 * installations for as much as is asked, and keeps check runs in GitHub's limits.
 */
export class FakeGithubApp {
  readonly appId = '4711';
  readonly privateKey: string;
  private readonly publicKey: KeyObject;
  /** Repositories (`owner/name`) that the App is installed on. */
  readonly installed = new Set(['acme/app']);
  readonly tokens: FakeInstallationToken[] = [];
  readonly checkRuns: FakeCheckRun[] = [];
  readonly requests: string[] = [];
  /** Answers that go out before anything is looked at, but never to commit statuses, which are always taken. */
  readonly failures: Answer[] = [];
  private server!: Server;

  private constructor(private readonly now: () => Date) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
    this.publicKey = publicKey;
  }

  static async start(now: () => Date): Promise<FakeGithubApp> {
    const fake = new FakeGithubApp(now);
    fake.server = createServer((request, response) => {
      void fake.answer(request).then(({ status, body, headers = {} }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Connects the organization of a world to this App; returns the connection's id. */
  async connect(world: World, { host = 'github.com', webhookSecret = 'the secret of the App' } = {}): Promise<string> {
    const id = randomUUID();
    const now = world.clock.now();
    await world.services.db
      .insertInto('provider_connections')
      .values({
        id,
        organizationId: world.organization.id,
        provider: 'github_app',
        host,
        apiUrl: this.url,
        appId: this.appId,
        token: sealToken(world.services, this.privateKey),
        webhookSecret: seal(world.services.secretKey, 'webhook-secret', webhookSecret),
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    return id;
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url}`);
    const body = await jsonOf(request);
    if (url.includes('/statuses/')) return { status: 201, body: { id: 1 } };
    const failure = this.failures.shift();
    if (failure) return failure;
    const credential = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const [, installedOn] = /^\/repos\/([^/]+\/[^/]+)\/installation$/.exec(url) ?? [];
    if (installedOn !== undefined || url.startsWith('/app')) {
      if (!(await this.isOfApp(credential)))
        return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
      if (installedOn !== undefined)
        return this.installed.has(installedOn.toLowerCase())
          ? { status: 200, body: { id: 99 } }
          : { status: 404, body: { message: 'Not Found' } };
      return this.mint(body);
    }
    const token = this.tokens.find((each) => each.token === credential);
    if (!token || token.expiresAt <= this.now()) return { status: 401, body: { message: 'Bad credentials' } };
    const [, repository = '', id] = /^\/repos\/([^/]+\/[^/]+)\/check-runs(?:\/(\d+))?$/.exec(url) ?? [];
    if (!this.installed.has(repository.toLowerCase())) return { status: 404, body: { message: 'Not Found' } };
    return this.writeCheckRun(repository, id, body);
  }

  private async isOfApp(credential: string): Promise<boolean> {
    try {
      const { payload } = await jwtVerify(credential, this.publicKey, {
        issuer: this.appId,
        algorithms: ['RS256'],
        currentDate: this.now(),
      });
      return (payload.exp ?? 0) - (payload.iat ?? 0) <= 660;
    } catch {
      return false;
    }
  }

  private mint({ repositories, permissions }: Record<string, unknown>): Answer {
    const token: FakeInstallationToken = {
      token: `ghs_${randomUUID()}`,
      repositories: (repositories as string[] | undefined) ?? null,
      permissions: (permissions as Record<string, string> | undefined) ?? { contents: 'write', checks: 'write' },
      expiresAt: new Date(this.now().getTime() + 3_600_000),
    };
    this.tokens.push(token);
    return {
      status: 201,
      body: { token: token.token, expires_at: token.expiresAt.toISOString(), permissions: token.permissions },
    };
  }

  private writeCheckRun(repository: string, id: string | undefined, fields: FakeCheckRun['fields']): Answer {
    const output = fields.output as { summary?: string; text?: string; annotations?: unknown[] } | undefined;
    const annotations = output?.annotations ?? [];
    const isTooLong = (output?.summary?.length ?? 0) > 65_535 || (output?.text?.length ?? 0) > 65_535;
    if (annotations.length > 50 || isTooLong) return { status: 422, body: { message: 'Validation Failed' } };
    const known = this.checkRuns.find((run) => String(run.id) === id);
    if (id !== undefined && !known) return { status: 404, body: { message: 'Not Found' } };
    const run = known ?? { id: 1000 + this.checkRuns.length, repository, fields: {}, annotations: [], requests: 0 };
    if (!known) this.checkRuns.push(run);
    Object.assign(run.fields, fields);
    run.annotations.push(...annotations);
    run.requests += 1;
    return { status: known ? 200 : 201, body: { id: run.id } };
  }
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return pieces.length === 0 ? {} : (JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>);
}
