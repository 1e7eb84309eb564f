import type { PGlite } from '@electric-sql/pglite';

const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const restoring = Symbol('keeps byte order marks');
const dataRow = 'D'.charCodeAt(0);

/**
 * The embedded database's driver decodes each value with a `TextDecoder` that swallows a leading U+FEFF, so a text that
 * starts with one came back shorter than it was stored. Puts it back where the bytes of the reply have one; safe to call
 * again for the same database.
 */
export function keepByteOrderMarks(pglite: PGlite): PGlite {
  if (Object.hasOwn(pglite, restoring)) return pglite;
  const original = pglite.execProtocol.bind(pglite);
  const restored: PGlite['execProtocol'] = async (message, options) => {
    const result = await original(message, options);
    if (Buffer.from(result.data.buffer, result.data.byteOffset, result.data.byteLength).includes(mark)) restore(result);
    return result;
  };
  pglite.execProtocol = restored;
  // The form without the bytes of the reply: queries use it.
  pglite.execProtocolStream = async (message, options) => (await restored(message, options)).messages;
  return Object.assign(pglite, { [restoring]: true });
}

/**
 * Walks the reply's messages (a type byte, then a length that includes itself) along with the rows parsed from them.
 */
function restore({ messages, data }: Awaited<ReturnType<PGlite['execProtocol']>>): void {
  const rows = messages.filter(
    (message): message is typeof message & { fields: (string | null)[] } => message.name === 'dataRow',
  );
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let row = 0;
  for (let start = 0; start + 5 <= bytes.length; start += 1 + bytes.readInt32BE(start + 1)) {
    if (bytes[start] !== dataRow) continue;
    const fields = rows[row]?.fields ?? [];
    row += 1;
    restoreRow(bytes, start + 5, fields);
  }
}

/** A row: the number of its values, then each one's length (-1 for null) and bytes. */
function restoreRow(bytes: Buffer, start: number, fields: (string | null)[]): void {
  let at = start + 2;
  for (let index = 0; index < bytes.readInt16BE(start); index += 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) continue;
    if (bytes.subarray(at, Math.min(at + 3, at + length)).equals(mark)) fields[index] = `\uFEFF${fields[index] ?? ''}`;
    at += length;
  }
}
