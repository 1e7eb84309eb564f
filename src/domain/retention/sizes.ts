/** What sizes are counted of, for the surfaces. */
export const sizeKinds = ['builds', 'logs', 'artifacts', 'runs', 'audit'] as const;
export type SizeKind = (typeof sizeKinds)[number];
