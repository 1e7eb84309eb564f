import { text } from '../text.js';

/** One of the two: uuid or node id of a person, or of a team (rest-facts 3.6). */
export const maintainerFields = { user: text(300).nullish(), team: text(300).nullish() };

export interface GivenMaintainer {
  user?: string | null | undefined;
  team?: string | null | undefined;
}
