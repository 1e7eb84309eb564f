import { useCallback, useEffect, useState } from 'react';

/** Characters of one draft that are kept; a longer one stays in the page only. */
const longestDraft = 1_000_000;

/**
 * State of a form that survives a reload and the way over the sign-in page: kept for the tab until `forget`.
 * `key` names the form, with what it is about.
 */
export function useDraft<T extends object>(key: string, initial: T): [T, (change: Partial<T>) => void, () => void] {
  const name = `draft:${key}`;
  const [value, setValue] = useState<T>(() => ({ ...initial, ...stored<T>(name) }));
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    if (!touched) return;
    const text = JSON.stringify(value);
    if (text.length <= longestDraft) sessionStorage.setItem(name, text);
  }, [name, touched, value]);
  const change = useCallback((part: Partial<T>) => {
    setTouched(true);
    setValue((before) => ({ ...before, ...part }));
  }, []);
  const forget = useCallback(() => {
    setTouched(false);
    sessionStorage.removeItem(name);
  }, [name]);
  return [value, change, forget];
}

function stored<T>(name: string): Partial<T> {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}
