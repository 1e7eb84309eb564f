const escaped: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** An escape inside double quotes: a character by its number in hexadecimal, a letter of the table, or itself. */
const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|([^]))/g;

/**
 * Splits an environment that is written as text into items: a `KEY=value` on each line, or `KEY="value"`, where the
 * value has the escapes of a shell or a programming language (`\n`, `\"`, `\u00e9`). Blank lines are left out; whether
 * an item has a key is the reader's to judge.
 */
export function readEnvLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(unquoteValue);
}

/** `KEY="value"` as `KEY=value`; a line without a whole quoted value as it stands. */
function unquoteValue(line: string): string {
  const [, key = '', quoted] = /^([^=]*=)"((?:[^"\\]|\\[^])*)"\s*$/.exec(line) ?? [];
  return quoted === undefined ? line : key + quoted.replace(escape, characterOf);
}

function characterOf(_match: string, x?: string, u?: string, wide?: string, other = ''): string {
  const number = x ?? u ?? wide;
  return number === undefined ? (escaped[other] ?? other) : String.fromCodePoint(Number.parseInt(number, 16));
}
