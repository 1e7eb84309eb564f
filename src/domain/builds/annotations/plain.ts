/** Why a body is shown as it was written. */
export type PlainReason = 'large' | 'dear' | 'busy';

const notices: Record<PlainReason, string> = {
  large: 'This annotation is shown as it was written: rendered it would be too large, or nested too deeply.',
  dear: 'This annotation is shown as it was written: rendering it takes too long.',
  busy: 'This annotation is shown as it was written: it has not been rendered yet.',
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Most bytes that one character of a body becomes: `&amp;`. */
const widest = 5;

/**
 * A body as preformatted text after a sentence that says why, in at most `most` bytes; the end of a longer one is left
 * out. Takes time linear in the text.
 */
export function plainAnnotation(body: string, reason: PlainReason, most: number): string {
  const room = Math.floor((most - 1024) / widest);
  const shown = body.length > room ? `${body.slice(0, room)}\n…` : body;
  const escaped = shown.replace(/[&<>]/g, (character) => entities[character] ?? character);
  return `<p><em>${notices[reason]}</em></p>\n<pre><code>${escaped}</code></pre>\n`;
}
