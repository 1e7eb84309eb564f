/** Smallest and largest number of a column of the type integer: 32 bits with a sign. */
export const smallestInteger = -2_147_483_648;
export const largestInteger = 2_147_483_647;
