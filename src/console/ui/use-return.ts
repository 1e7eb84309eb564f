import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

const storageKey = (entry: string) => `list-scroll:${entry}`;
const signs = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/**
 * Brings a reader who goes back to a long list to where they were: reads more of it until the page is that long, and
 * scrolls there, unless they begin to scroll themselves.
 */
export function useReturn(hasNext: boolean, isLoadingNext: boolean, load: () => void): void {
  const entry = useLocation({ select: ({ state, href }) => state.__TSR_key ?? href });
  const goal = useRef<number | null>(null);
  useEffect(() => {
    goal.current = Number(sessionStorage.getItem(storageKey(entry))) || null;
    const giveUp = () => (goal.current = null);
    const remember = () => {
      // What is not yet as long as it was shows no place of the reader's.
      if (goal.current === null) sessionStorage.setItem(storageKey(entry), String(Math.round(window.scrollY)));
    };
    window.addEventListener('scroll', remember, { passive: true });
    for (const sign of signs) window.addEventListener(sign, giveUp, { passive: true });
    return () => {
      window.removeEventListener('scroll', remember);
      for (const sign of signs) window.removeEventListener(sign, giveUp);
    };
  }, [entry]);
  useEffect(() => {
    const y = goal.current;
    if (y === null || isLoadingNext) return;
    if (hasNext && document.documentElement.scrollHeight < y + window.innerHeight) return load();
    goal.current = null;
    window.scrollTo(0, y);
  });
}
