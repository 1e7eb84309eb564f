/** Outcomes of a `notify` entry at one moment, in the order the documentation lists them. */
export const notifyOutcomes = [
  'pending',
  'sent',
  'failed',
  'condition_false',
  'no_channel',
  'no_mail',
  'invalid',
  'too_many',
] as const;
export type NotifyOutcome = (typeof notifyOutcomes)[number];
