/** Ways of an agent to learn of jobs; the command line loads this file and nothing else of the agent. */
export const pingModes = ['auto', 'poll-only', 'stream-only'] as const;
export type PingMode = (typeof pingModes)[number];
