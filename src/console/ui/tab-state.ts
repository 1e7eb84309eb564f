import { useEffect } from 'react';
import { lookOf, type Tone } from './state-tone';

/** How the tab of the browser tells of a state: a sign before its title, and a disc on its icon. */
const signs: Readonly<Record<Tone, { sign: string; color: string; mark: string }>> = {
  passed: { sign: '✓', color: '#1a7f37', mark: 'M20 23.500l2.200 2.200 4-4.400' },
  failed: { sign: '✗', color: '#c1272d', mark: 'M21 21l4 5M25 21l-4 5' },
  running: { sign: '●', color: '#b35900', mark: 'M23 20.500v3l2 1.500' },
  blocked: { sign: '⏸', color: '#5b4fc4', mark: 'M21.500 21v5M24.500 21v5' },
  waiting: { sign: '○', color: '#57666e', mark: 'M20.500 23.500h5' },
};

/** The title of the tab, with the sign of a state. */
export const tabTitle = (title: string, state: string | undefined): string =>
  `${state === undefined ? '' : `${signs[lookOf(state).tone].sign} `}${title} · Slipway`;

/** The icon of Slipway with a disc of the state in its corner, as an address of its bytes. */
export function tabIcon(state: string): string {
  const { color, mark } = signs[lookOf(state).tone];
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5d66"/>' +
    '<path d="M6 18.500 25 9v9.500Z" fill="#7fe0d6"/>' +
    `<circle cx="23" cy="23.500" r="8.500" fill="${color}" stroke="#fff" stroke-width="1.500"/>` +
    `<path d="${mark}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Titles the tab after a page, and marks its icon while the page tells of a state. */
export function useTabState(title: string, state: string | undefined): void {
  useEffect(() => {
    document.title = tabTitle(title, state);
  }, [title, state]);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || state === undefined) return;
    const before = link.href;
    link.href = tabIcon(state);
    return () => {
      link.href = before;
    };
  }, [state]);
}
