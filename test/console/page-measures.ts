import type { Page } from 'playwright-core';

/** What a page costs a browser, by the browser's own measures since the page was asked for. */
export interface PageMeasures {
  /** Milliseconds until the largest part was painted (LCP). */
  paintMs: number;
  /** The sum of all shifts of the layout that no input explains; the largest window of CLS is at most that. */
  shift: number;
  /** Milliseconds from the slowest key or click to the frame after it (INP without its percentile). */
  slowestInputMs: number;
  /** Kilobytes of script that were transferred. */
  scriptKb: number;
}

/** Begins to measure whatever the page opens next. */
export async function startMeasuring(page: Page): Promise<void> {
  await page.addInitScript(`
    window.measured = { paint: 0, shift: 0, input: 0 };
    const observe = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take))
      .observe({ type, buffered: true, ...more });
    observe('largest-contentful-paint', ({ startTime }) => { measured.paint = startTime; });
    observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) measured.shift += value; });
    observe('event', ({ duration }) => { measured.input = Math.max(measured.input, duration); }, { durationThreshold: 16 });`);
}

export async function measuresOf(page: Page): Promise<PageMeasures> {
  const { paint, shift, input } = await page.evaluate<{ paint: number; shift: number; input: number }>('measured');
  const script = await page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
  return {
    paintMs: Math.round(paint),
    shift: Math.round(shift * 1_000) / 1_000,
    slowestInputMs: Math.round(input),
    scriptKb: Math.round(script / 1_000),
  };
}
