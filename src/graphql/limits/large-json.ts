import { slices } from './slices.js';

/** Characters of one piece. */
const pieceLength = 64 * 1024;

/** Serializes plain data like `JSON.stringify`, and yields to other requests between pieces. */
export async function largeJson(value: unknown): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = '';
  const add = async (more: string) => {
    text += more;
    if (text.length < pieceLength) return;
    pieces.push(Buffer.from(text));
    text = '';
    await slices.next();
  };
  const write = async (part: unknown): Promise<void> => {
    if (!hasObjects(part)) return add(JSON.stringify(part) ?? 'null');
    const isList = Array.isArray(part);
    let separator = isList ? '[' : '{';
    for (const [key, inner] of isList ? part.entries() : Object.entries(part)) {
      if (!isList && inner === undefined) continue;
      text += isList ? separator : `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      await write(inner);
    }
    return add(`${separator === ',' ? '' : separator}${isList ? ']' : '}'}`);
  };
  await write(value);
  pieces.push(Buffer.from(text));
  return Buffer.concat(pieces);
}

/** Whether a value contains objects or lists; values without any are serialized at once. */
function hasObjects(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => typeof inner === 'object' && inner !== null);
}
