import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const commit = Buffer.from('commit\0');

/** When a connection is cut: before the server has COMMIT, or once it has it, so that its answer is lost. */
export type Cut = 'before' | 'after';

/**
 * Stands between the program and PostgreSQL, and cuts connections at COMMIT by a fixed schedule, or holds bytes back.
 */
export class CuttingProxy {
  readonly cuts: Record<Cut, number> = { before: 0, after: 0 };
  private commits = 0;
  private everyNth = 0;
  private readonly pairs = new Set<[Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(targetPort: number): Promise<CuttingProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new CuttingProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.join(client, connect(targetPort, '127.0.0.1')));
    return proxy;
  }

  /** From now on every `nth` COMMIT is cut, in turn after and before the server has it; 0 for none. */
  cutEvery(nth: number): void {
    this.everyNth = nth;
  }

  /** Holds every byte of the connections that are open, both ways, and of none that are opened later, for ever. */
  freeze(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.pause().removeAllListeners('data');
  }

  close(): void {
    this.server.close();
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  private join(client: Socket, upstream: Socket): void {
    const pair: [Socket, Socket] = [client, upstream];
    this.pairs.add(pair);
    const leave = () => {
      this.pairs.delete(pair);
      client.destroy();
      if (!upstream.writableEnded) upstream.destroy();
    };
    for (const socket of pair) socket.setNoDelay(true).on('error', leave);
    client.on('close', leave);
    upstream.on('close', leave);
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      const cut = bytes.includes(commit) ? this.due() : null;
      if (cut === null) return void upstream.write(bytes);
      this.cuts[cut] += 1;
      if (cut === 'after') {
        // The bytes leave whole, and what comes back goes nowhere.
        upstream.removeAllListeners('data').resume().end(bytes);
      }
      client.destroy();
    });
  }

  private due(): Cut | null {
    this.commits += 1;
    if (this.everyNth === 0 || this.commits % this.everyNth !== 0) return null;
    return this.commits % (2 * this.everyNth) === 0 ? 'before' : 'after';
  }
}
