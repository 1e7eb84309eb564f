import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that a client with waiting bytes must read within the time of patience. */
const leastBytes = 16 * 1024;
const patienceMs = 30_000;

/** What a connection had taken when it last took enough. */
interface Progress {
  taken: number;
  /** Milliseconds of {@link SlowReaders} `served`. */
  at: number;
}

/**
 * Disconnects clients that stop reading, or read a few bytes now and then so that no timeout of an idle connection ends
 * them: what waits for them stays in memory. For all connections of a server alike: replies, logs, artifacts, event
 * streams, WebSockets.
 */
export class SlowReaders {
  /** Connections that were cut, since the process started. */
  cut = 0;
  private readonly sockets = new Map<Socket, Progress | null>();
  private readonly everyMs: number;
  /**
   * Milliseconds in which the process served its connections: while it stood still, none of its clients could be sent
   * anything, and none is to blame.
   */
  private served = 0;
  private lookedAt = performance.now();

  constructor(
    private readonly least = leastBytes,
    private readonly patience = patienceMs,
  ) {
    this.everyMs = Math.max(1, patience / 6);
  }

  /** Looks after the connections of a server until it closes; `event` is that which names those that take replies. */
  watch(server: Server, event: 'connection' | 'secureConnection' = 'connection'): void {
    server.on(event, (socket: Socket) => {
      // A socket appears again if it asked for an upgrade that no surface offers.
      if (this.sockets.has(socket)) return;
      this.sockets.set(socket, null);
      socket.once('close', () => this.sockets.delete(socket));
    });
    const looks = setInterval(() => this.look(performance.now()), this.everyMs).unref();
    server.on('close', () => clearInterval(looks));
  }

  /** Bytes that were handed to connections and are not taken yet. */
  get unsent(): number {
    let bytes = 0;
    for (const socket of this.sockets.keys()) bytes += socket.writableLength;
    return bytes;
  }

  private look(now: number): void {
    this.served += Math.min(now - this.lookedAt, 2 * this.everyMs);
    this.lookedAt = now;
    for (const [socket, last] of this.sockets) {
      if (socket.writableLength === 0) {
        if (last) this.sockets.set(socket, null);
        continue;
      }
      const progress = takenOf(socket);
      if (!last || progress - last.taken >= this.least) this.sockets.set(socket, { taken: progress, at: this.served });
      else if (this.served - last.at >= this.patience) {
        this.cut += 1;
        socket.destroy();
      }
    }
  }
}

/**
 * Bytes of a connection that the system has taken: those handed to it, less those in its queue. Node's timeout of idle
 * sockets looks at the queue too. A long piece counts as it goes out; without these members it counts once it is out.
 */
function takenOf(socket: Socket): number {
  const { _bytesDispatched: handed, _handle: handle } = socket as {
    _bytesDispatched?: number;
    _handle?: { writeQueueSize?: number } | null;
  };
  const queue = handle?.writeQueueSize;
  return handed === undefined || queue === undefined ? socket.bytesWritten - socket.writableLength : handed - queue;
}

/** The slow readers of this process. */
export const slowReaders = new SlowReaders();
