import pg from 'pg';

/** Columns of the rows of a statement. */
export interface ColumnType {
  name: string;
  /** As PostgreSQL numbers it. */
  type: number;
}

/** Bytes with rows, and where each row begins in them. */
export interface RowsOfBlock {
  bytes: Buffer;
  starts: number[];
}

/** What the database replied to messages up to a Sync. */
export interface Reply {
  /** Columns of the statement that was described; null where none was. */
  columns: ColumnType[] | null;
  rows: RowsOfBlock[];
  /** The tag of the last command that was completed, such as `INSERT 0 2`; empty where there was none. */
  command: string;
  error: Error | null;
}

const code = {
  noData: 'n'.charCodeAt(0),
  rowDescription: 'T'.charCodeAt(0),
  dataRow: 'D'.charCodeAt(0),
  commandComplete: 'C'.charCodeAt(0),
  error: 'E'.charCodeAt(0),
};

/** Reads replies: each message is a type byte, then a length that includes itself, then what it says. */
export function readReply(blocks: readonly Buffer[]): Reply {
  const reply: Reply = { columns: null, rows: [], command: '', error: null };
  for (const bytes of blocks) {
    const starts = readBlock(bytes, reply);
    if (starts.length > 0) reply.rows.push({ bytes, starts });
  }
  return reply;
}

/** Reads whole messages into the reply; gives where rows begin. */
function readBlock(bytes: Buffer, reply: Reply): number[] {
  const starts: number[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const body = at + 5;
    const end = at + 1 + bytes.readInt32BE(at + 1);
    const kind = bytes[at];
    if (kind === code.dataRow) starts.push(body);
    else if (kind === code.commandComplete) reply.command = bytes.toString('latin1', body, end - 1);
    else if (kind === code.rowDescription) reply.columns = readColumns(bytes, body);
    else if (kind === code.noData) reply.columns = [];
    else if (kind === code.error) reply.error ??= readError(bytes, body, end);
    at = end;
  }
  return starts;
}

/** The number of columns; of each its name, then 18 bytes with its type from the seventh on. */
function readColumns(bytes: Buffer, start: number): ColumnType[] {
  const columns: ColumnType[] = [];
  for (let at = start + 2, left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const end = bytes.indexOf(0, at);
    columns.push({ name: bytes.toString('utf8', at, end), type: bytes.readUInt32BE(end + 7) });
    at = end + 19;
  }
  return columns;
}

/** Members of an error by the letter that PostgreSQL sends them under. */
const members = {
  S: 'severity',
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'dataType',
  n: 'constraint',
} as const;

function readError(bytes: Buffer, start: number, end: number): Error {
  const texts = bytes.toString('utf8', start, end).split('\0').filter(Boolean);
  const message = texts.find((text) => text.startsWith('M'))?.slice(1) ?? 'the database gave no reason';
  const error = new pg.DatabaseError(message, end - start, 'error');
  for (const text of texts) {
    const member = members[text[0] as keyof typeof members];
    if (member) error[member] = text.slice(1);
  }
  return error;
}

/** As the connection to PostgreSQL has them: texts of times become dates where rows are converted. */
const parsers = new Map<number, (text: string) => unknown>();
const { DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL, TEXT, UUID, VARCHAR } = pg.types.builtins;
const unparsed = new Set<number>([DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL, TEXT, UUID, VARCHAR]);

function parserOf(type: number): ((text: string) => unknown) | null {
  if (unparsed.has(type)) return null;
  let parser = parsers.get(type);
  if (!parser) parsers.set(type, (parser = pg.types.getTypeParser(type) as (text: string) => unknown));
  return parser;
}

/** Rows as objects. A row is the number of its values, then each one's length (-1 for null) and bytes. */
export function readRows<R>({ bytes, starts }: RowsOfBlock, columns: readonly ColumnType[]): R[] {
  const parse = columns.map(({ type }) => parserOf(type));
  return starts.map((start) => {
    const row: Record<string, unknown> = {};
    let at = start + 2;
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index] as ColumnType;
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) {
        row[column.name] = null;
        continue;
      }
      const text = bytes.toString('utf8', at, at + length);
      const parser = parse[index];
      row[column.name] = parser ? parser(text) : text;
      at += length;
    }
    return row as R;
  });
}
