/** Text in quotes, or a parameter. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;

/**
 * The text of a statement that is made part of another one: `place` gives what stands for each parameter, by its number
 * from 1. Text in quotes stays as it is.
 */
export function replaceParameters(text: string, place: (number: number) => string): string {
  return text.replace(tokens, (token, number?: string) => (number === undefined ? token : place(Number(number))));
}

/** The text of a statement without its literals and its names in quotes, to be searched for words. */
export const withoutQuotes = (text: string): string => text.replace(tokens, (token) => (token[0] === '$' ? token : ''));
