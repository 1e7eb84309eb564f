/** Letters of the codes that people type: no vowels, so that no word comes out (RFC 8628, section 6.1). */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** The code that somebody typed, in one spelling; null for what is none. */
export function readUserCode(text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s-]/g, '');
  return letters.length === length && [...letters].every((letter) => userCodeLetters.includes(letter)) ? letters : null;
}

/** A code as people read it: `BCDF-GHJK`. */
export const showUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** A code of random numbers, each from 0 to 19. */
export const userCodeOf = (random: () => number): string =>
  Array.from({ length }, () => userCodeLetters.charAt(random())).join('');
