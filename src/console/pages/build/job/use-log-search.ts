import { useEffect, useMemo, useState } from 'react';
import type { LogSource } from './log-source';

const typingPause = 300;
const nothing: readonly number[] = [];

export interface LogSearch {
  text: string;
  setText: (text: string) => void;
  matches: readonly number[];
  /** Line of the match looked at; null without one. */
  current: number | null;
  at: number;
  move: (by: number) => void;
  isMatch: (line: number) => boolean;
  state: 'searching' | 'failed' | 'done';
}

/** Search in a whole log, by the server; a moment after typing. */
export function useLogSearch(log: LogSource): LogSearch {
  const [text, setText] = useState('');
  const [matches, setMatches] = useState(nothing);
  const [at, setAt] = useState(0);
  const [state, setState] = useState<LogSearch['state']>('done');
  useEffect(() => {
    if (text === '') {
      setMatches(nothing);
      return;
    }
    let outdated = false;
    setMatches(nothing);
    setState('searching');
    const timer = setTimeout(() => {
      log
        .search(text)
        .then((matches) => {
          if (outdated) return;
          setMatches(matches);
          setAt(0);
          setState('done');
        })
        .catch(() => {
          if (!outdated) setState('failed');
        });
    }, typingPause);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [log, text]);
  const known = useMemo(() => new Set(matches), [matches]);
  return {
    text,
    setText,
    matches,
    current: matches[at] ?? null,
    at,
    move: (by) => setAt((before) => (matches.length === 0 ? 0 : (before + by + matches.length) % matches.length)),
    isMatch: (line) => known.has(line),
    state,
  };
}
