const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '/': '&#47;',
};

/** The same by character code, where it is cheap to look up. */
const entityOfCode: readonly (string | undefined)[] = Array.from(
  { length: 63 },
  (_, code) => entities[String.fromCharCode(code)],
);

/** HTML entity of the character with this code; undefined if the character needs no escape. */
export const entityOf = (code: number): string | undefined => entityOfCode[code];

/** Escapes log text for HTML the slash included, as clients of the log's HTML compare it. */
export function escapeText(text: string): string {
  let out = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const entity = entityOfCode[text.charCodeAt(i)];
    if (entity === undefined) continue;
    out += text.slice(from, i) + entity;
    from = i + 1;
  }
  return from === 0 ? text : out + text.slice(from);
}

/**
 * Escapes attribute values and the text of elements made from sequences: as above, but `/` stays and `"` is numeric.
 */
export function escapeAttribute(text: string): string {
  return text.replace(/[&'<>"]/g, (character) => (character === '"' ? '&#34;' : (entities[character] ?? character)));
}
