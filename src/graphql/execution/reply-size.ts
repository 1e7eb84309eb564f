import { type ExecutionResult, GraphQLError } from 'graphql';
import { Problem } from '../../domain/problem.js';

/**
 * The reply of one operation is larger than a reply may be: the whole operation fails, not the field that noticed it.
 */
export class ReplyTooLarge extends Problem {
  constructor(most: number) {
    super(
      'too_large',
      `One reply holds at most ${most} bytes; ask for fewer objects at a time (\`first\`), or for fewer of their long fields`,
    );
  }
}

/** Size of an object's punctuation beside each of its keys and of a value that is no text, in the JSON of a reply. */
export const aroundKey = 4;
const ofOther = 6;

/**
 * Counts what goes into one reply while it is made, by the characters of its texts and keys: one text of a row may be
 * in it a thousand times by aliases, as one string in memory, until it is written. Bytes are counted where they are
 * written (`large-json.ts`).
 */
export class ReplySize {
  characters = 0;

  constructor(private readonly most: number = Infinity) {}

  get isExceeded(): boolean {
    return this.characters > this.most;
  }

  /** Throws {@link ReplyTooLarge} if the reply is too large already: what is read further would be dropped. */
  check(): void {
    if (this.characters > this.most) throw new ReplyTooLarge(this.most);
  }

  /** Counts characters; throws {@link ReplyTooLarge} if there are more than a reply may have. */
  add(characters: number): void {
    this.characters += characters;
    if (this.characters > this.most) throw new ReplyTooLarge(this.most);
  }

  /** Counts a scalar in its form in the reply. */
  addLeaf(value: unknown): void {
    this.add(typeof value === 'string' ? value.length : ofOther);
  }
}

/** Characters that the keys of an object take in the reply. */
export const sizeOfKeys = (keys: readonly string[]): number =>
  keys.reduce((sum, { length }) => sum + length + aroundKey, 0);

/** The result of an operation whose reply is too large: without data, and with this one error. */
export const resultOf = (error: ReplyTooLarge): ExecutionResult => ({
  errors: [new GraphQLError(error.message, { extensions: { code: 'PAYLOAD_TOO_LARGE' } })],
  data: null,
});
