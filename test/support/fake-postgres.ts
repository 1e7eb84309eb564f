import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** One message of the server: its type, its length, its body. */
function message(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function int(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
}

type Value = string | number | boolean;

const oids = { string: 25, number: 23, boolean: 16 };
const textOf = (value: Value) => (typeof value === 'boolean' ? String(value).charAt(0) : String(value));

function rowOf(values: Record<string, Value>): Buffer {
  const columns = Object.entries(values).map(([name, value]) => ({
    name,
    oid: oids[typeof value as keyof typeof oids],
    text: textOf(value),
  }));
  const described = columns.map(({ name, oid }) =>
    Buffer.concat([Buffer.from(`${name}\0`), int(0, 4), int(0, 2), int(oid, 4), int(-1, 2), int(-1, 4), int(0, 2)]),
  );
  const data = columns.map(({ text }) => Buffer.concat([int(Buffer.byteLength(text), 4), Buffer.from(text)]));
  return Buffer.concat([
    message('T', int(columns.length, 2), ...described),
    message('D', int(columns.length, 2), ...data),
    message('C', 'SELECT 1\0'),
  ]);
}

const readyForQuery = message('Z', 'I');

/** What the server answers a statement of a connection, which is numbered from 1: a row. */
export type Answer = (connection: number, statement: string) => Record<string, Value>;

/**
 * A server that speaks as much of PostgreSQL's protocol as a start check needs, so that one can meet releases and
 * poolers that are not installed. It lets everybody in as process 4242 and answers every simple query with a row.
 */
export class FakePostgres {
  private connections = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answer: Answer): Promise<FakePostgres> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const fake = new FakePostgres(server, `postgres://ada:hunter2@127.0.0.1:${port}/slipway`);
    server.on('connection', (socket) => fake.serve(socket, answer));
    return fake;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  stop(): void {
    this.server.close();
  }

  private serve(socket: Socket, answer: Answer): void {
    const connection = (this.connections += 1);
    let started = false;
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      for (;;) {
        const typed = started ? 1 : 0;
        if (rest.length < typed + 4) return;
        const length = rest.readInt32BE(typed) + typed;
        if (rest.length < length) return;
        const body = rest.subarray(typed + 4, length);
        const type = started ? String.fromCharCode(rest[0] ?? 0) : 'startup';
        rest = rest.subarray(length);
        if (type === 'startup') {
          started = true;
          socket.write(Buffer.concat([message('R', int(0, 4)), message('K', int(4242, 4), int(1, 4)), readyForQuery]));
        } else if (type === 'Q') {
          socket.write(Buffer.concat([rowOf(answer(connection, body.toString().replace(/\0$/, ''))), readyForQuery]));
        } else if (type === 'X') socket.end();
      }
    });
  }
}
