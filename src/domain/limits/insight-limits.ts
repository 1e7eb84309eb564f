/** The limits of insights and their rollups; part of `limits`. */
export const insightLimits = {
  /** Builds that one request for insights reads: choice. */
  insightBuilds: 50_000,
  /** Pipelines, branches, queues or steps that insights name: choice. */
  insightRows: 500,
  /** Hours of the longest time whose insights are by hour, or that is asked for in hours: choice. */
  insightHours: 168,
  /** Days of the longest time whose insights are by day: choice. */
  insightDays: 500,
  /** Days of the longest time that insights are of: choice. */
  insightRangeDays: 3_653,
  /** Figures of pipelines, branches, queues or steps in a time that one request for insights adds up: choice. */
  insightFigures: 100_000,
  /** Branches, queues or steps of a pipeline that a rollup has figures of, the rest together: choice. */
  rollupKeys: 50,
  /** Days for which rollups of hours are kept: choice. */
  rollupHoursKeptDays: 100,
  /** Days for which rollups of days are kept: choice. */
  rollupDaysKeptDays: 800,
  /** Days for which rollups of months are kept: choice. */
  rollupMonthsKeptDays: 3_700,
} as const;
