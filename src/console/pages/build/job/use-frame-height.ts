import { type RefObject, useEffect } from 'react';

/** Space kept below the log, and the least height of it, in pixels. */
const below = 16;
const least = 320;

/**
 * Gives an element the height that is left of the window below its top, so that its end is in view with the page as it
 * is opened. Where little is left, it has most of the window, and the page scrolls.
 */
export function useFrameHeight(frame: RefObject<HTMLElement | null>, ready: boolean): void {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const fit = () => {
      const top = element.getBoundingClientRect().top + window.scrollY;
      const left = window.innerHeight - top - below;
      element.style.height = `${left >= least ? left : Math.max(least, window.innerHeight - 10 * below)}px`;
    };
    fit();
    // What stands above may grow or go: explanations, lists of steps.
    const sizes = new ResizeObserver(fit);
    sizes.observe(document.body);
    window.addEventListener('resize', fit);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', fit);
    };
  }, [frame, ready]);
}
