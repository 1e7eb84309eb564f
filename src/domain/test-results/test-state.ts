/** How runners are to treat a test (rest-facts 7.2): as it is, run it and ignore its failures, or not run it. Results are kept as sent. */
export const testStates = ['enabled', 'muted', 'skipped'] as const;
export type TestState = (typeof testStates)[number];
