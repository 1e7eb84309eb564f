import type { Context } from '../../request/context.js';
import type { BuildRow } from '../../entities/database.js';
import { changeBuild } from '../state/builds.js';
import { advanceBuild } from './advance-build.js';

/** Cancels a locked build: waiting jobs at once, running ones through their agents. Returns the updated build. */
export async function requestCancel(context: Context, build: BuildRow, reason: string | null): Promise<BuildRow> {
  const requested = await changeBuild(context, build, {
    cancelRequestedAt: context.now,
    canceledById: context.userId,
    cancelReason: reason,
  });
  return advanceBuild(context, requested, { reason: reason ?? 'canceled by request' });
}
