import { supersedingBuild } from '../intermediate-builds.js';
import type { BuildState } from '../build-state.js';

/** Why a build waits for a person, was stopped, or ran nothing. */
export const buildExplanationReasons = ['superseded', 'canceled', 'unblock', 'not_run'] as const;
export type BuildExplanationReason = (typeof buildExplanationReasons)[number];

export interface BuildExplanation {
  reason: BuildExplanationReason;
  message: string;
  /** The newer build of the same pipeline that took its place. */
  supersededById: string | null;
  /** Jobs of the build that somebody has to unblock. */
  jobIds: string[];
}

export interface BuildToExplain {
  state: BuildState;
  cancelReason: string | null;
  canceledById: string | null;
}

export interface BuildFacts {
  /** Reason of the event that stopped the build. */
  stopReason: string | null;
  /** Block and input jobs that wait for a person. */
  reachedBlocks: readonly { id: string; label: string | null }[];
}

/** Explains a build; null if the build waits only for its jobs, or ended because they did. */
export function explainBuild(
  build: BuildToExplain,
  { stopReason, reachedBlocks }: BuildFacts,
): BuildExplanation | null {
  const explained = (reason: BuildExplanationReason, message: string, supersededById: string | null = null) => ({
    reason,
    message,
    supersededById,
    jobIds: [],
  });
  switch (build.state) {
    case 'skipped':
    case 'canceling':
    case 'canceled': {
      const newer = supersedingBuild(stopReason);
      if (newer !== null) return explained('superseded', 'A newer build of the branch took its place.', newer);
      if (build.cancelReason) return explained('canceled', build.cancelReason);
      return explained(
        'canceled',
        build.canceledById === null ? 'The build was canceled.' : 'A person canceled the build.',
      );
    }
    case 'blocked': {
      const names = reachedBlocks.map(({ label }) => `"${label ?? 'block'}"`).join(', ');
      return {
        ...explained('unblock', `Waits until somebody unblocks ${names || 'a step'}.`),
        jobIds: reachedBlocks.map(({ id }) => id),
      };
    }
    case 'not_run':
      return explained('not_run', 'No step of the build had anything to run: all were skipped, or only waited.');
    default:
      return null;
  }
}
