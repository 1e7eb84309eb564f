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

/**
 * The messages as they would be without names, where the client keeps statements under names: `statements` has what it
 * had parsed on its connection, by name. `parses` is whether the client waits for the answer to a Parse.
 */
export function unnamed(
  messages: readonly Message[],
  statements: Map<string, Buffer>,
): { messages: Message[]; parses: boolean } {
  const parses = messages[0]?.type === 'P';
  const changed = messages.flatMap((each): Message[] => {
    const { type, bytes } = each;
    if (type === 'P') {
      const end = bytes.indexOf(0, header);
      const parse = message('P', bytes.subarray(end, end + 1), bytes.subarray(end + 1));
      statements.set(bytes.toString('utf8', header, end), parse);
      return [{ type, bytes: parse }];
    }
    if (type !== 'B') return [each];
    const start = bytes.indexOf(0, header) + 1;
    const end = bytes.indexOf(0, start);
    const bind = { type, bytes: message('B', bytes.subarray(header, start), bytes.subarray(end)) };
    const known = parses ? undefined : statements.get(bytes.toString('utf8', start, end));
    return known ? [{ type: 'P', bytes: known }, bind] : [bind];
  });
  return { messages: changed, parses };
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

  withoutParse: (answer: Uint8Array) => (reply.isParsed(answer) ? answer.subarray(parseComplete.length) : answer),

  afterParse: (answer: Uint8Array) => Buffer.concat([parseComplete, answer]),

  /**
   * A server that recovered from a crash has statistics of another time: the last column of an answer that tells it.
   */
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
