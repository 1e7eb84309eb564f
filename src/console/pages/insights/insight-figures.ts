import { durationText } from '../../ui/time-text';

/** Groups that figures can be by; the first is what a page without a choice shows. */
export const insightGroups = ['PIPELINE', 'STEP', 'QUEUE', 'BRANCH'] as const;
export type InsightGroup = (typeof insightGroups)[number];

/** Days that figures can be of, the usual first. */
export const insightDays = ['7', '1', '30', '90'] as const;

export const groupOf = (word: string | undefined): InsightGroup =>
  insightGroups.find((group) => group.toLowerCase() === word) ?? insightGroups[0];

export const daysOf = (word: string | undefined): number =>
  Number(insightDays.find((days) => days === word) ?? insightDays[0]);

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The beginning of the time, on a whole minute, so that a page that is drawn again reads the same. */
export const beginningOf = (days: number, now: number): string =>
  new Date(Math.floor(now / minuteMs) * minuteMs - days * dayMs).toISOString();

/** Seconds in words; a dash where nothing has them. */
export const secondsText = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '–' : durationText(seconds * 1000);

/** A part of a whole in percent. */
export const percentText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
