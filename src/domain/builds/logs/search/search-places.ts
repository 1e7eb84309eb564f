/** Where a search looks: in what is kept of the logs of failed jobs, or in all logs. */
export const logSearchPlaces = ['extracts', 'logs'] as const;
export type LogSearchPlace = (typeof logSearchPlaces)[number];
