/** How runners treat a test: run it, run it and ignore its failures, or skip it. Results are stored as sent. */
export const testStates = ['enabled', 'muted', 'skipped'] as const;
export type TestState = (typeof testStates)[number];
