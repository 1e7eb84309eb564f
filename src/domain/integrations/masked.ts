const hidden = 'X'.repeat(12);
/** Characters that a mask shows at most, and the length from which on it shows any. */
const shown = 4;
const shortest = 8;

/** A secret as it is shown: its last four characters, none of a short one, such as `XXXXXXXXXXXXcdef`. */
export const masked = (secret: string): string =>
  secret.length < shortest ? hidden : `${hidden}${secret.slice(-shown)}`;

/** The secret after a change: a mask that is sent back as it was shown keeps the one there is. */
export const unlessMasked = (sent: string, before: string | undefined): string =>
  before !== undefined && sent === masked(before) ? before : sent;
