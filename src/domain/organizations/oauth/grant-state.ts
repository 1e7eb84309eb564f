/** Ways in which a program waits for an answer: with the browser sent back to it, or by asking again and again. */
export const grantKinds = ['code', 'device'] as const;
export type GrantKind = (typeof grantKinds)[number];

/** `used`: the program has its token, or has forfeited it. */
export const grantStates = ['pending', 'approved', 'denied', 'used'] as const;
export type GrantState = (typeof grantStates)[number];
