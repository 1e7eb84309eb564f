import { disposition, from, type Disposition, type Moves } from './transition.js';

/**
 * States of an artifact (rest-facts 3.2): registered and on its way; whole and readable; given up; deleted by
 * somebody; past its retention. Only a `finished` one has bytes that anybody reads.
 */
export const artifactStates = ['new', 'error', 'finished', 'deleted', 'expired'] as const;
export type ArtifactState = (typeof artifactStates)[number];

/** What its agent reports (`finish`, `fail`), what nobody reported in time (`fail`), and a deletion. */
export const artifactEvents = ['finish', 'fail', 'delete'] as const;
export type ArtifactEvent = (typeof artifactEvents)[number];

const moves: Record<ArtifactEvent, Moves<ArtifactState>> = {
  finish: from<ArtifactState>(['new'], 'finished'),
  fail: from<ArtifactState>(['new'], 'error'),
  delete: from<ArtifactState>(['new', 'error', 'finished', 'expired'], 'deleted'),
};

/** What an event does to an artifact in a state; the end of one that was deleted meanwhile is no news. */
export function artifactTransition(state: ArtifactState, event: ArtifactEvent): Disposition<ArtifactState> {
  if (state === 'deleted' && event !== 'delete') return { kind: 'already' };
  return disposition(moves[event], state, event, 'an artifact');
}
