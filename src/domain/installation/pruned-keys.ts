/** Keys of an organization whose entries a plan may prune, in the order in which they are deleted. */
export const prunedKeys = [
  'rules',
  'notification_services',
  'secrets',
  'schedules',
  'pipelines',
  'templates',
  'teams',
  'suites',
] as const;
export type PrunedKey = (typeof prunedKeys)[number];
