import { useCallback, useEffect, useState } from 'react';

/** Characters of one draft that are kept; a longer one stays in the page only. */
const longestDraft = 1_000_000;

/**
 * State of a form that survives a reload and the way over the sign-in page: kept for the tab until `forget`.
 * `key` names the form, with what it is about. Without `kept` it is state of the page only, as for secrets.
 */
export function useDraft<T extends object>(
  key: string,
  initial: T,
  { kept = true }: { kept?: boolean } = {},
): [T, (change: Partial<T>) => void, () => void] {
  const name = `draft:${key}`;
  const [value, setValue] = useState<T>(() => (kept ? { ...initial, ...stored<T>(name) } : initial));
  const [touched, setTouched] = useState(false);
  useEffect(() => {
    if (!touched || !kept) return;
    const text = JSON.stringify(value);
    if (text.length <= longestDraft) sessionStorage.setItem(name, text);
  }, [kept, name, touched, value]);
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
