/** Most often that a pass over everything begins, over all replicas. */
const passEveryMs = 60 * 60_000;

/** Where a pass stands: `progress` while one is under way, and when the last one began. */
interface Pass {
  progress: object | null;
  startedAt: Date | null;
}

/** Says whether a round has something to do: a pass is under way, or the last began an hour ago, or in the future. */
export function isPassDue({ progress, startedAt }: Pass, now: Date): boolean {
  const since = startedAt === null ? Infinity : now.getTime() - startedAt.getTime();
  return progress !== null || since >= passEveryMs || since < 0;
}
