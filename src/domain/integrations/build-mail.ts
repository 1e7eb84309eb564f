import type { BuildState } from '../builds/build-state.js';

/** Which ends of their own builds a person gets by mail, also where the pipeline says nothing of mail. */
export const buildMailChoices = ['never', 'failed', 'always'] as const;
export type BuildMail = (typeof buildMailChoices)[number];

/**
 * Whether the end of a build is mailed to its creator. `isFixed`: the build before it on the branch failed. People who
 * get mail of failures get it of the build that ends them, too.
 */
export function isMailed(choice: BuildMail, state: BuildState, isFixed: boolean): boolean {
  if (choice === 'failed') return state === 'failed' || (state === 'passed' && isFixed);
  return choice === 'always' && (state === 'passed' || state === 'failed' || state === 'canceled');
}
