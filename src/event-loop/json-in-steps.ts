/** Objects, lists and other values that are serialized at once. */
const valuesAtOnce = 2_000;

/** Takes text, or an object that stands for its own text; gives a promise where others are to have their turn first. */
export type TakeText<Own> = (text: string | Own) => Promise<void> | undefined;

/**
 * Serializes plain data like `JSON.stringify`, in steps of bounded size: passes on the text in order and waits where it
 * is asked to.
 *
 * @param isOwn tells objects that are passed on as they are, in place of their text
 */
export async function writeJson<Own extends object = never>(
  value: unknown,
  take: TakeText<Own>,
  isOwn: (part: object) => part is Own = (_part): _part is Own => false,
): Promise<void> {
  /**
   * How many values a value holds, itself included, a long text as several; any number above `most` if there are more.
   */
  const countOf = (part: unknown, most: number): number => {
    if (typeof part === 'string') return 1 + (part.length >> 7);
    if (!isObject(part)) return 1;
    if (isOwn(part)) return most + 1;
    if ('toJSON' in part) return 1;
    let count = 1;
    if (Array.isArray(part))
      for (let index = 0; index < part.length && count <= most; index += 1) count += countOf(part[index], most - count);
    else
      for (const key in part) {
        if (count > most) break;
        count += countOf((part as Record<string, unknown>)[key], most - count);
      }
    return count;
  };
  const isLarge = (part: unknown): boolean => countOf(part, valuesAtOnce) > valuesAtOnce;
  const writeLarge = (part: unknown): Promise<void> | undefined => {
    if (!isObject(part)) return take(JSON.stringify(part));
    if (isOwn(part)) return take(part);
    return Array.isArray(part) ? writeList(part) : writeObject(part);
  };
  const writeList = async (list: readonly unknown[]): Promise<void> => {
    let separator = '[';
    for (let start = 0; start < list.length;) {
      let end = start;
      for (let count = 0; end < list.length; end += 1) {
        count += countOf(list[end], valuesAtOnce);
        if (count > valuesAtOnce) break;
      }
      // Items that are small together are serialized together.
      if (end > start) await take(separator + JSON.stringify(list.slice(start, end)).slice(1, -1));
      else {
        await take(separator);
        await writeLarge(list[end++]);
      }
      separator = ',';
      start = end;
    }
    await take(separator === '[' ? '[]' : ']');
  };
  const writeObject = async (object: object): Promise<void> => {
    let separator = '{';
    for (const [key, inner] of Object.entries(object)) {
      if (inner === undefined) continue;
      const head = `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      const inSteps = isObject(inner) && isLarge(inner);
      const turn = take(inSteps ? head : head + (JSON.stringify(inner) ?? 'null'));
      // A value without turns costs no promise.
      if (turn) await turn;
      if (inSteps) await writeLarge(inner);
    }
    await take(separator === '{' ? '{}' : '}');
  };
  await (isLarge(value) ? writeLarge(value) : take(JSON.stringify(value) ?? 'null'));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
