import { text } from '../../../domain/input-text.js';

/** Exactly one of the two: uuid or node id of a user, or of a team. */
export const maintainerFields = { user: text(300).nullish(), team: text(300).nullish() };

export interface NewMaintainer {
  user?: string | null | undefined;
  team?: string | null | undefined;
}
