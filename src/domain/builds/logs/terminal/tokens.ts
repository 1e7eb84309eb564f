/** A malformed sequence; its message is shown in the log in place of the sequence. */
export class SequenceError extends Error {}

/**
 * Splits `a=b;c='d;e'` at semicolons. Single and double quotes protect a semicolon and are removed,
 * a backslash protects the next character.
 */
export function splitTokens(input: string): string[] {
  const tokens: string[] = [];
  let token = '';
  let quote = '';
  let escaped = false;
  for (const character of input) {
    if (escaped) {
      token += character;
      escaped = false;
    } else if ((character === "'" || character === '"') && (quote === '' || quote === character)) {
      quote = quote === '' ? character : '';
    } else if (character === '\\') {
      escaped = true;
    } else if (character === ';' && quote === '') {
      tokens.push(token);
      token = '';
    } else {
      token += character;
    }
  }
  tokens.push(token);
  if (quote !== '') throw new SequenceError('invalid syntax: unclosed quotation marks');
  if (escaped) throw new SequenceError('invalid terminal escape');
  return tokens;
}

/** Splits at the first equals sign; null without one. */
export function keyAndValue(token: string): [key: string, value: string] | null {
  const at = token.indexOf('=');
  return at < 0 ? null : [token.slice(0, at), token.slice(at + 1)];
}
