import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeHook {
  id: number;
  repository: string;
  events: string[];
  config: { url: string; secret: string; content_type: string };
}

/**
 * As much of GitHub's API as webhooks need, on loopback: one webhook a URL and repository, and a token that must be
 * right.
 */
export class FakeGithub {
  readonly hooks: FakeHook[] = [];
  readonly requests: string[] = [];
  /** Answers that go out before anything is looked at. */
  readonly failures: number[] = [];
  private server!: Server;

  private constructor(readonly token: string) {}

  static async start(token = 'ghp_a_token_of_the_fake_provider'): Promise<FakeGithub> {
    const fake = new FakeGithub(token);
    fake.server = createServer((request, response) => {
      void fake.answer(request).then(({ status, body }) => {
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(status === 302 ? { location: 'http://127.0.0.1:1/elsewhere' } : {}),
        });
        response.end(body === undefined ? undefined : JSON.stringify(body));
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

  private async answer(request: IncomingMessage): Promise<{ status: number; body?: object }> {
    this.requests.push(`${request.method} ${request.url}`);
    const failure = this.failures.shift();
    if (failure !== undefined) return { status: failure, body: { message: 'no' } };
    if (request.headers.authorization !== `Bearer ${this.token}`)
      return { status: 401, body: { message: 'Bad credentials' } };
    const [, repository, id] = /^\/repos\/([^/]+\/[^/]+)\/hooks(?:\/(\d+))?$/.exec(request.url ?? '') ?? [];
    if (repository === undefined) return { status: 404, body: { message: 'Not Found' } };
    if (request.method === 'DELETE') {
      const index = this.hooks.findIndex((hook) => hook.id === Number(id));
      this.hooks.splice(index, index < 0 ? 0 : 1);
      return { status: index < 0 ? 404 : 204 };
    }
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const newHook = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Omit<FakeHook, 'id' | 'repository'>;
    if (this.hooks.some((hook) => hook.repository === repository && hook.config.url === newHook.config.url))
      return { status: 422, body: { message: 'Hook already exists on this repository' } };
    const hook = { ...newHook, id: 1000 + this.requests.length, repository };
    this.hooks.push(hook);
    return { status: 201, body: { id: hook.id, url: `${this.url}/repos/${repository}/hooks/${hook.id}` } };
  }
}
