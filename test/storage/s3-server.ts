import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of the S3 protocol that the storage uses, over a map: enough to hold the client to it. */
export class S3Server {
  readonly objects = new Map<string, Buffer>();
  /** Method, path and query of every request, in order. */
  readonly requests: string[] = [];
  /** Parts of uploads, from now on, whose connection is cut before they are taken. */
  partsToCut = 0;
  private readonly uploads = new Map<string, Map<number, Buffer>>();
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));
  /** Objects on a page of a listing; small, so that paging is exercised. */
  private readonly pageSize = 3;

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3');
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '');
    this.requests.push(`${request.method} ${request.url}`);
    if (this.partsToCut > 0 && url.searchParams.has('partNumber')) {
      this.partsToCut -= 1;
      request.socket.destroy();
      return;
    }
    const known = /^\/bucket(\/|$)/.test(url.pathname);
    const missing = {
      status: 404,
      headers: { 'content-type': 'application/xml' },
      content:
        '<?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>The bucket does not exist</Message></Error>',
    };
    const { status, headers = {}, content = '' } = known ? this.reply(request, url.searchParams, key, body) : missing;
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(content) });
    response.end(request.method === 'HEAD' ? undefined : content);
  }

  private reply(
    { method, headers }: IncomingMessage,
    query: URLSearchParams,
    key: string,
    body: Buffer,
  ): { status: number; headers?: Record<string, string>; content?: string | Buffer } {
    const uploadId = query.get('uploadId') ?? '';
    if (method === 'POST' && query.has('uploads')) {
      this.uploads.set(key, new Map());
      return { status: 200, content: `<R><UploadId>${Buffer.from(key).toString('hex')}</UploadId></R>` };
    }
    if (method === 'POST' && query.has('delete')) {
      for (const [, found = ''] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) this.objects.delete(found);
      return { status: 200, content: '<DeleteResult></DeleteResult>' };
    }
    if (method === 'POST' && uploadId !== '') {
      const stored = [...(this.uploads.get(key) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
      this.objects.set(key, Buffer.concat(stored));
      return {
        status: 200,
        content: '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>',
      };
    }
    if (method === 'PUT' && uploadId !== '') {
      this.uploads.get(key)?.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: '"part"' } };
    }
    const source = headers['x-amz-copy-source'];
    if (method === 'PUT' && typeof source === 'string') {
      const object = this.objects.get(decodeURIComponent(source).replace(/^\/?bucket\//, ''));
      if (!object) return { status: 404 };
      this.objects.set(key, object);
      return { status: 200, content: '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>' };
    }
    if (method === 'PUT') {
      if (headers['if-none-match'] === '*' && this.objects.has(key)) return { status: 412 };
      this.objects.set(key, body);
      return { status: 200, headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } };
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      this.uploads.delete(key);
      return { status: 204 };
    }
    if (query.get('list-type') === '2') return { status: 200, content: this.listing(query) };
    return this.read(key, headers.range);
  }

  private read(key: string, range?: string): { status: number; headers?: Record<string, string>; content?: Buffer } {
    const object = this.objects.get(key);
    if (!object) return { status: 404 };
    const headers = { 'last-modified': new Date('2026-01-01T00:00:00.000Z').toUTCString() };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    if (from === undefined) return { status: 200, headers, content: object };
    if (Number(from) >= object.length) return { status: 416 };
    return { status: 206, headers, content: object.subarray(Number(from), to ? Number(to) + 1 : undefined) };
  }

  private listing(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const keys = [...this.objects.keys()]
      .sort()
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after);
    const page = keys.slice(0, this.pageSize);
    const rows = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>${this.objects.get(key)?.length}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
    );
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${rows.join('')}${next}</ListBucketResult>`;
  }
}
