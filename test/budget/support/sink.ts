import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks that counts what it is sent, by event, and forgets it. */
export class Sink {
  readonly events = new Map<string, number>();
  bytes = 0;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Sink> {
    const server = createServer((request, response) => {
      request.on('data', (piece: Buffer) => (sink.bytes += piece.length));
      request.on('end', () => {
        const event = String(request.headers['x-buildkite-event'] ?? 'none');
        sink.events.set(event, (sink.events.get(event) ?? 0) + 1);
        response.writeHead(200).end();
      });
      request.on('error', () => undefined);
    });
    const sink: Sink = new Sink(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
