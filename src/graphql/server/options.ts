/** A member that may be null. TypeGraphQL's default is non-null; names and nullability are fixed by the wire. */
export const optional = { nullable: true } as const;
/** `[X]`: the list and each item may be null. */
export const looseList = { nullable: 'itemsAndList' } as const;
