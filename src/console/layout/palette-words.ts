import Fuse from 'fuse.js';

/** What the words typed into the palette may name besides names. */
export interface TypedWords {
  text: string;
  /** `organization/pipeline/number`, as GraphQL names a build. */
  build: string | null;
  /** Beginning of a commit, or all of it. */
  commit: string | null;
  /** What the message of a build may have in it: too few letters are in most of them. */
  message: string | null;
  /** Whether agents, people and branches are looked for too. */
  isLong: boolean;
}

const shortest = 2;
const shortestOfMessage = 4;

/**
 * Reads what was typed. `#12` and `12` name a build of the pipeline at hand, `app#12`, `app/12` and `app 12` one of the
 * pipeline with this slug; 7 hexadecimal digits and more a commit.
 */
export function readWords(typed: string, organization: string | null, pipeline: string | undefined): TypedWords {
  const text = typed.trim();
  const [, slug, number] = /^(?:([\w-]+)\s*[#/ ]\s*|#)?(\d{1,9})$/.exec(text) ?? [];
  const of = slug ?? pipeline;
  return {
    text,
    build: organization !== null && of !== undefined && number !== undefined ? `${organization}/${of}/${number}` : null,
    commit: /^[0-9a-f]{7,40}$/i.test(text) ? text.toLowerCase() : null,
    message: text.length >= shortestOfMessage ? text : null,
    isLong: text.length >= shortest,
  };
}

/** Those whose text holds the words, best first; where none does, those that are meant if a letter is wrong. */
export function matching<T extends { readonly text: string }>(entries: readonly T[], words: string): T[] {
  const word = words.trim().toLowerCase();
  if (word === '') return [...entries];
  const exact = entries.filter(({ text }) => text.toLowerCase().includes(word));
  if (exact.length > 0 || word.length <= shortest) return exact;
  // A third of the letters may be wrong, wherever in the text they stand.
  return new Fuse(entries, { keys: ['text'], threshold: 0.34, ignoreLocation: true })
    .search(word)
    .map(({ item }) => item);
}
