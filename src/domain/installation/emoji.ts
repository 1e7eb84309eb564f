import { gemoji } from 'gemoji';

/** A picture that texts name as `:name:`. */
export interface Emoji {
  name: string;
  aliases: readonly string[];
  /** The characters themselves. */
  text: string;
}

/** Every emoji there is a name for, by category. */
export const emojis: readonly Emoji[] = Object.freeze(
  gemoji.map(({ emoji, names: [name = '', ...aliases] }) => Object.freeze({ name, aliases, text: emoji })),
);

const byName = new Map(emojis.flatMap((emoji) => [emoji.name, ...emoji.aliases].map((name) => [name, emoji])));

/** Returns the emoji of a name or alias, without the colons; null for an unknown one. */
export function emojiOf(name: string): Emoji | null {
  return byName.get(name) ?? null;
}

/** Puts emoji in the place of their names between colons; words that name none stay as they are. */
export function withEmoji(text: string): string {
  const [first = '', ...parts] = text.split(':');
  let result = first;
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const next = parts[at + 1];
    const emoji = next === undefined ? null : emojiOf(part);
    result += emoji ? emoji.text + next : `:${part}`;
    if (emoji) at += 1;
  }
  return result;
}
