/** Asks for no build, anywhere in a head commit's message or a pull request's title. */
export function hasSkipText(text: string | null): boolean {
  return text !== null && /\[(?:ci[ -]skip|skip[ -]ci)\]/i.test(text);
}
