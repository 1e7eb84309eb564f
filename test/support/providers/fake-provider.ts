import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderRequest {
  method: string;
  /** Path without its query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  // Each provider has bodies of its own, which its server reads.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface ProviderAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export type Handler = (request: ProviderRequest) => ProviderAnswer | undefined;

/** A commit status as the server of a provider has it. */
export interface SeenStatus {
  repository: string;
  commit: string;
  context: string;
  state: string;
}

/** Names of the commits of a branch, oldest first, each the first parent of the next. */
export const branchOfCommits = (count: number) =>
  Array.from({ length: count }, (_, index) => (index + 1).toString(16).padStart(40, '0'));

/** A server on this machine that answers as a provider does by its public description. */
export class FakeProvider {
  readonly requests: ProviderRequest[] = [];
  /** Every status that was accepted, in the order of arrival. */
  readonly statuses: SeenStatus[] = [];
  /** Commits of the branch, oldest first. */
  commits: string[] = [];
  /** Asked first; an answer of it goes out in place of the provider's. */
  interrupt: Handler = () => undefined;
  /** Requests under way, and the most that there were. */
  private atWork = 0;
  mostAtOnce = 0;

  private constructor(
    private readonly server: Server,
    private readonly handler: (fake: FakeProvider, request: ProviderRequest) => ProviderAnswer,
  ) {}

  static async start(handler: (fake: FakeProvider, request: ProviderRequest) => ProviderAnswer): Promise<FakeProvider> {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      fake.atWork += 1;
      fake.mostAtOnce = Math.max(fake.mostAtOnce, fake.atWork);
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider');
        const text = Buffer.concat(pieces).toString('utf8');
        const read: ProviderRequest = {
          method: request.method ?? '',
          path: pathname,
          query: searchParams,
          headers: request.headers,
          body: text === '' ? null : (JSON.parse(text) as unknown),
        };
        fake.requests.push(read);
        const { status, body, headers } = fake.interrupt(read) ?? fake.handler(fake, read);
        fake.atWork -= 1;
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      });
    });
    const fake: FakeProvider = new FakeProvider(server, handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  /** A page of commits with their parents, newest first: those up to `upTo`, and after `after` where it is named. */
  pageOfCommits(page: number, size: number, { upTo, after }: { upTo: string | null; after?: string | null }) {
    const end = this.commits.indexOf(upTo ?? '') + 1;
    const from = after == null ? 0 : this.commits.indexOf(after) + 1;
    const rows = this.commits
      .map((sha, index) => ({ sha, parents: index === 0 ? [] : [this.commits[index - 1] as string] }))
      .slice(from, end)
      .reverse();
    return { rows: rows.slice((page - 1) * size, page * size), isLast: rows.length <= page * size };
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
