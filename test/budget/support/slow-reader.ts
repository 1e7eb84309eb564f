import { connect, type Socket } from 'node:net';
import { userToken } from '../../replicas/installation.js';

const tenthOfSecond = 100;

/**
 * Asks for a reply on a connection of its own and takes a few bytes of it at a time, as a reader on a bad line does.
 */
export class SlowReader {
  received = 0;
  /** The first line of the reply. */
  statusLine = '';
  ended = false;
  private readonly reading: NodeJS.Timeout;

  private constructor(private readonly socket: Socket) {
    socket.pause();
    this.reading = setInterval(() => {
      const piece = socket.read(8) as Buffer | null;
      if (piece === null) return;
      if (this.received < 16) this.statusLine += piece.toString('latin1');
      this.received += piece.length;
    }, tenthOfSecond);
    socket.on('error', () => (this.ended = true));
    socket.on('close', () => (this.ended = true));
  }

  static open(url: string, path: string): SlowReader {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), highWaterMark: 16 } as never);
    socket.on('readable', () => undefined);
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${userToken}`];
    socket.write([...lines, '', ''].join('\r\n'));
    return new SlowReader(socket);
  }

  close(): void {
    clearInterval(this.reading);
    this.socket.destroy();
  }
}
