/**
 * Bytes that a value has as JSON text at least: characters that are escaped, or take several bytes in UTF-8, count as
 * one. Counting ends beyond `most`, so that a value whose parts are used many times costs no more than that.
 */
export function jsonSize(value: unknown, most: number): number {
  return sizeOf(value, most);
}

/** Bytes of a date, a number or anything else that writes itself. */
const shortText = 24;

function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 4;
  if ('toJSON' in value) return shortText;
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= most; index += 1) size += 1 + sizeOf(value[index], most - size);
    return size;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined) size += key.length + 4 + sizeOf(inner, most - size);
    if (size > most) return size;
  }
  return size;
}
