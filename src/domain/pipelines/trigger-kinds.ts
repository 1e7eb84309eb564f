/** Kinds of senders that a trigger takes posts of: each signs in a way of its own. */
export const triggerKinds = ['generic', 'github', 'linear'] as const;
export type TriggerKind = (typeof triggerKinds)[number];
