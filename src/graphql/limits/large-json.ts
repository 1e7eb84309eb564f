import { KeptText } from '../execution/kept.js';
import { slices } from './slices.js';

/** Characters of one piece. */
const pieceLength = 64 * 1024;
/** Objects, lists and other values that are serialized at once. */
const valuesAtOnce = 2_000;

/** Serializes plain data like `JSON.stringify`, with kept texts as they are, and yields to other requests between pieces. */
export async function largeJson(value: unknown): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = '';
  // Undefined where there is time for more, so that small parts cost no promise.
  const add = (more: string): Promise<void> | undefined => {
    text += more;
    if (text.length < pieceLength) return undefined;
    pieces.push(Buffer.from(text));
    text = '';
    return slices.next();
  };
  const addKept = (kept: Buffer): Promise<void> | undefined => {
    pieces.push(Buffer.from(text), kept);
    text = '';
    return slices.next();
  };
  const write = async (part: unknown): Promise<void> => {
    if (part instanceof KeptText) return addKept(part.text);
    if (!isObject(part) || countOf(part, valuesAtOnce) <= valuesAtOnce) return add(JSON.stringify(part) ?? 'null');
    return Array.isArray(part) ? writeList(part) : writeObject(part);
  };
  const writeList = async (list: readonly unknown[]): Promise<void> => {
    text += '[';
    for (let start = 0; start < list.length;) {
      if (start > 0) text += ',';
      let end = start;
      for (let count = 0; end < list.length; end += 1) {
        count += countOf(list[end], valuesAtOnce);
        if (count > valuesAtOnce) break;
      }
      // Items that are small together are serialized together.
      if (end > start) await add(JSON.stringify(list.slice(start, end)).slice(1, -1));
      else await write(list[end++]);
      start = end;
    }
    text += ']';
  };
  const writeObject = async (object: object): Promise<void> => {
    let separator = '{';
    for (const [key, inner] of Object.entries(object)) {
      if (inner === undefined) continue;
      text += `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      if (isObject(inner)) await write(inner);
      else text += JSON.stringify(inner) ?? 'null';
    }
    text += separator === ',' ? '}' : '{}';
  };
  await write(value);
  pieces.push(Buffer.from(text));
  return Buffer.concat(pieces);
}

/** How many values a value holds, itself included; any number above `most` if there are more. */
function countOf(value: unknown, most: number): number {
  if (!isObject(value)) return 1;
  if (value instanceof KeptText) return most + 1;
  let count = 1;
  if (Array.isArray(value))
    for (let index = 0; index < value.length && count <= most; index += 1) count += countOf(value[index], most - count);
  else
    for (const key in value) {
      if (count > most) break;
      count += countOf((value as Record<string, unknown>)[key], most - count);
    }
  return count;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
