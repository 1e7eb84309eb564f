/** A message of a PostgreSQL client: one byte for its type, four for its length, and what it says. */
export interface Message {
  type: string;
  bytes: Buffer;
}

/** The whole messages at the beginning of a buffer. */
export function messagesIn(buffer: Buffer): { messages: Message[]; rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (buffer.length - at >= 5) {
    const end = at + 1 + buffer.readInt32BE(at + 1);
    if (end > buffer.length) break;
    messages.push({ type: String.fromCharCode(buffer[at] ?? 0), bytes: buffer.subarray(at, end) });
    at = end;
  }
  return { messages, rest: buffer.subarray(at) };
}

const header = 5;

/** The SQL of a Query or a Parse of an unnamed statement. */
export function textOf([first]: readonly Message[]): string {
  const start = first?.type === 'P' ? header + 1 : header;
  return first?.bytes.toString('utf8', start, first.bytes.indexOf(0, start)) ?? '';
}

/** Parse and Bind of the unnamed statement, changed to one of this name; without Parse where it is prepared already. */
export function named(messages: readonly Message[], name: string, isPrepared: boolean): Buffer {
  const parts = messages.flatMap(({ type, bytes }) => {
    if (type === 'P') return isPrepared ? [] : [message('P', Buffer.from(`${name}\0`), bytes.subarray(header + 1))];
    if (type !== 'B') return [bytes];
    const statement = bytes.indexOf(0, header) + 1;
    return [message('B', bytes.subarray(header, statement), Buffer.from(`${name}\0`), bytes.subarray(statement + 1))];
  });
  return Buffer.concat(parts);
}

function message(type: string, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(header);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const parseComplete = message('1');
const incarnationColumn = 'incarnation\0';

/** What a server says. */
export const reply = {
  /** Authentication is not needed; ready. */
  welcome: Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]),

  error: (code: string, text: string) =>
    Buffer.concat([
      message('E', Buffer.from(`SERROR\0VERROR\0C${code}\0M${text}\0\0`)),
      message('Z', Buffer.from('E')),
    ]),

  isParsed: (answer: Uint8Array) => answer[0] === parseComplete[0],

  afterParse: (answer: Uint8Array) => Buffer.concat([parseComplete, answer]),

  /** A server that recovered from a crash has statistics of another time: the last column of an answer that tells it. */
  withIncarnation(answer: Uint8Array, incarnation: number): Uint8Array {
    const bytes = Buffer.from(answer);
    if (!bytes.includes(incarnationColumn)) return bytes;
    const { messages } = messagesIn(bytes);
    const suffix = Buffer.from(`#${incarnation}`);
    return Buffer.concat(
      messages.map((each) => {
        if (each.type !== 'D') return each.bytes;
        const body = Buffer.concat([each.bytes.subarray(header), suffix]);
        const at = lastLengthIn(body);
        body.writeInt32BE(body.readInt32BE(at) + suffix.length, at);
        return message('D', body);
      }),
    );
  },
};

/** Where the length of the last column stands in the body of a row. */
function lastLengthIn(row: Buffer): number {
  let at = 2;
  for (let column = row.readInt16BE(0); column > 1; column -= 1) at += 4 + Math.max(0, row.readInt32BE(at));
  return at;
}
