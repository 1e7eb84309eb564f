/** What an organization has of its first hour. */
export interface FirstHour {
  /** Whether an agent is connected now. */
  hasAgent: boolean;
  hasPipeline: boolean;
  /** Its newest builds, {@link buildsOfFirstHour} at most: when they began, if so, and the type of their source. */
  builds: readonly { startedAt: string | null; source: string }[];
}

/** The steps of a first hour in their order. */
export const firstSteps = ['agent', 'pipeline', 'build', 'push'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** An organization with so many builds needs no guide any more. */
export const buildsOfFirstHour = 20;

/** The steps that are done. A build that began had an agent, which may be gone by now. */
export function stepsDone({ hasAgent, hasPipeline, builds }: FirstHour): ReadonlySet<FirstStep> {
  const done: Record<FirstStep, boolean> = {
    agent: hasAgent || builds.some(({ startedAt }) => startedAt !== null),
    pipeline: hasPipeline || builds.length > 0,
    build: builds.some(({ startedAt }) => startedAt !== null),
    push: builds.some(({ source }) => source === 'BuildSourceWebhook'),
  };
  return new Set(firstSteps.filter((step) => done[step]));
}

/** Whether nothing is left to guide to. */
export const isFirstHourOver = (hour: FirstHour): boolean =>
  hour.builds.length >= buildsOfFirstHour || stepsDone(hour).size === firstSteps.length;
