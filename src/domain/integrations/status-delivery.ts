/** What has become of a commit status: `superseded` gave way to that of a newer build of the same commit. */
export const statusDeliveries = ['waiting', 'sent', 'failed', 'superseded'] as const;
export type StatusDelivery = (typeof statusDeliveries)[number];

/** Returns what has become of a stored commit status. */
export function statusDelivery(status: {
  nextAttemptAt: Date | null;
  lastError: string | null;
  supersededById: string | null;
}): StatusDelivery {
  if (status.nextAttemptAt !== null) return 'waiting';
  if (status.lastError !== null) return 'failed';
  return status.supersededById === null ? 'sent' : 'superseded';
}
