import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/**
 * A host of git repositories over HTTPS on loopback, which shows a repository only to who brings a password that
 * `admits` it. Git's own `http-backend` answers.
 */
export class PrivateGitHost {
  /** Status of every answer with the path it was about, without the query. */
  readonly answers: string[] = [];
  private server!: Server;

  private constructor(
    private readonly root: string,
    private readonly admits: (password: string, repository: string) => boolean,
  ) {}

  static async start(
    folder: string,
    tls: { certificate: string; key: string },
    admits: (password: string, repository: string) => boolean,
  ): Promise<PrivateGitHost> {
    const host = new PrivateGitHost(join(folder, 'repositories'), admits);
    host.server = createServer(
      { cert: readFileSync(tls.certificate), key: readFileSync(tls.key) },
      (request, response) => host.answer(request, response),
    );
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  /** Publishes a copy of a repository as `owner/name`; returns its URL. */
  publish(path: string, repository: string): string {
    const bare = join(this.root, `${repository}.git`);
    mkdirSync(join(bare, '..'), { recursive: true });
    execFileSync('git', ['clone', '-q', '--bare', path, bare], { stdio: 'pipe' });
    return `https://localhost:${(this.server.address() as AddressInfo).port}/${repository}.git`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://localhost');
    const [, repository = ''] = /^\/([^/]+\/[^/]+)\.git\//.exec(pathname) ?? [];
    const [, encoded = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const [, password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    if (!this.admits(password, repository)) {
      this.answers.push(`401 ${pathname}`);
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
      return;
    }
    this.answers.push(`200 ${pathname}`);
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: this.root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: 'token',
      },
    });
    request.pipe(backend.stdin);
    backend.stdin.on('error', () => undefined);
    relay(backend.stdout, response);
  }
}

/** Takes the reply of a CGI program apart: headers, an empty line, the body. */
function relay(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0);
  let isBody = false;
  output.on('data', (piece: Buffer) => {
    if (isBody) {
      response.write(piece);
      return;
    }
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    isBody = true;
    for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/);
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3));
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
  });
  output.on('end', () => response.end());
}
