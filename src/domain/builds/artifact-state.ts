import { disposition, from, type Disposition, type Moves } from '../transition.js';

/**
 * States of an artifact: registered (`new`), upload failed (`error`), complete and readable (`finished`), deleted by a
 * user, and past its retention. Only `finished` artifacts can be read.
 */
export const artifactStates = ['new', 'error', 'finished', 'deleted', 'expired'] as const;
export type ArtifactState = (typeof artifactStates)[number];

/**
 * Events of an artifact: reports of its agent (`finish`, `fail`), an upload that was not completed in time (`fail`),
 * the end of its retention, and a deletion.
 */
export const artifactEvents = ['finish', 'fail', 'expire', 'delete'] as const;
export type ArtifactEvent = (typeof artifactEvents)[number];

const moves: Record<ArtifactEvent, Moves<ArtifactState>> = {
  finish: from<ArtifactState>(['new'], 'finished'),
  fail: from<ArtifactState>(['new'], 'error'),
  expire: from<ArtifactState>(['finished'], 'expired'),
  delete: from<ArtifactState>(['new', 'error', 'finished', 'expired'], 'deleted'),
};

/** Returns the effect of an event on an artifact; a report about a deleted artifact changes nothing. */
export function artifactTransition(state: ArtifactState, event: ArtifactEvent): Disposition<ArtifactState> {
  if (state === 'deleted' && event !== 'delete') return { kind: 'already' };
  return disposition(moves[event], state, event, 'an artifact');
}
