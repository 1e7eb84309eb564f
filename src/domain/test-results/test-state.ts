/** Whether a test counts (rest-facts 7.2): a muted one runs and fails nothing, a skipped one is not to be run. */
export const testStates = ['enabled', 'muted', 'skipped'] as const;
export type TestState = (typeof testStates)[number];
