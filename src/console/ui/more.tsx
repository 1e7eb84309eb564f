import { useEffect, useRef } from 'react';
import { texts } from '../texts/texts';
import { useReturn } from './use-return';

const page = 50;

/** The part of Relay's pagination that a list needs. */
export interface Pagination {
  hasNext: boolean;
  isLoadingNext: boolean;
  loadNext: (count: number) => unknown;
}

/** Reads more of a list when its end comes into view; the button is for those who do not scroll. */
export function More({ hasNext, isLoadingNext, loadNext }: Pagination) {
  const button = useRef<HTMLButtonElement>(null);
  const load = useRef<() => void>(() => undefined);
  load.current = () => {
    if (!isLoadingNext) loadNext(page);
  };
  useReturn(hasNext, isLoadingNext, () => load.current());
  useEffect(() => {
    const element = button.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), {
      rootMargin: '400px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasNext, isLoadingNext]);
  if (!hasNext) return null;
  return (
    <div>
      <button ref={button} type="button" className="button" disabled={isLoadingNext} onClick={() => load.current()}>
        {isLoadingNext ? texts.common.loading : texts.common.more}
      </button>
    </div>
  );
}
