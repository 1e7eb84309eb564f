import { durationText } from '../../ui/time-text';

/** Groups that figures can be by; the first is what a page without a choice shows. */
export const insightGroups = ['PIPELINE', 'STEP', 'QUEUE', 'BRANCH'] as const;
export type InsightGroup = (typeof insightGroups)[number];

/** Days that figures can be of, the usual first. */
export const insightDays = ['7', '1', '30', '90', '365'] as const;

export const groupOf = (word: string | undefined): InsightGroup =>
  insightGroups.find((group) => group.toLowerCase() === word) ?? insightGroups[0];

export const daysOf = (word: string | undefined): number =>
  Number(insightDays.find((days) => days === word) ?? insightDays[0]);

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What a point of a chart is. */
export type InsightTime = 'DAY' | 'HOUR';
export const timeOf = (days: number): InsightTime => (days === 1 ? 'HOUR' : 'DAY');

/** The beginning of the time: that of a whole hour or day of UTC, so that no point of a chart lacks a part. */
export function beginningOf(days: number, now: number): string {
  const length = timeOf(days) === 'HOUR' ? hourMs : dayMs;
  return new Date(Math.floor(now / length) * length - days * dayMs).toISOString();
}

const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const shortHour = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A day or hour, by the key of its row, in a few words and in more. */
export function timeWords(key: string): { short: string; long: string } {
  const time = new Date(key);
  if (!key.includes('T')) return { short: shortDay.format(time), long: longDay.format(time) };
  const hour = shortHour.format(time);
  return { short: hour, long: `${shortDay.format(time)}, ${hour} UTC` };
}

/** Seconds in words; a dash where nothing has them. */
export const secondsText = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '–' : durationText(seconds * 1000);

const format = (maximumFractionDigits: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits });
const costFormat = format(2);
const smallCostFormat = format(4);

/** A cost in the currency of the prices, which have none; a dash where no queue has a price. */
export const costText = (cost: number | null | undefined): string =>
  cost === null || cost === undefined ? '–' : (cost < 1 ? smallCostFormat : costFormat).format(cost);

/** What figures can be of, as the address and the API name it. */
export interface InsightFilters {
  pipeline?: string | undefined;
  branch?: string | undefined;
  queue?: string | undefined;
  step?: string | undefined;
}

const kinds = { PIPELINE: 'pipeline', STEP: 'step', QUEUE: 'queue', BRANCH: 'branch' } as const;
/** What a row leads to: its pipeline's steps, its step's branches, the pipelines of its queue or branch. */
const inside = { PIPELINE: 'step', STEP: 'branch', QUEUE: undefined, BRANCH: undefined } as const;

/** The filters that are set, the group that each is of first. */
export const filtersSet = (filters: InsightFilters): [InsightGroup, string][] =>
  insightGroups.flatMap((group) => {
    const value = filters[kinds[group]];
    return value ? [[group, value]] : [];
  });

/** What the address says to show one row, and without a filter. */
export const narrowedTo = (group: InsightGroup, key: string) => ({ [kinds[group]]: key, by: inside[group] });
export const without = (group: InsightGroup) => ({ [kinds[group]]: undefined });

/** Whether a row is that of the branches, or of the steps of a pipeline, that have none of their own. */
export const isOfOthers = (group: InsightGroup, key: string): boolean =>
  (group === 'BRANCH' && key === '*') || (group === 'STEP' && key.endsWith('/*'));

/** A part of a whole in percent. */
export const percentText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;

/** A part of a whole, from 0 to 1, in percent; a dash where nothing tells. */
export const shareText = (share: number | null | undefined): string =>
  share === null || share === undefined ? '–' : percentText(share, 1);
