import { useEffect, useRef, useSyncExternalStore } from 'react';
import { singleKeysChosen } from './preferences';

/** A key or two in sequence, such as `g p`; `mod+k` is Ctrl-K or ⌘-K. */
export interface Shortcut {
  keys: string;
  text: string;
  run: () => void;
}

let active: readonly Shortcut[] = [];
const listeners = new Set<() => void>();
const sequencePause = 1_000;

function change(next: readonly Shortcut[]) {
  active = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Every shortcut of what is on the screen now, in the order of its registration. */
export const useActiveShortcuts = () => useSyncExternalStore(subscribe, () => active);

/** Registers shortcuts while the component is shown. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ keys, text }) => `${keys}\n${text}`).join('\n\n');
  useEffect(() => {
    const own = latest.current.map(({ keys, text }, index) => ({
      keys,
      text,
      run: () => latest.current[index]?.run(),
    }));
    change([...active, ...own]);
    return () => change(active.filter((shortcut) => !own.includes(shortcut)));
  }, [names]);
}

const typesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) || target.shadowRoot !== null);

/** Listens on the document; call once. */
export function startShortcuts(): void {
  let before = '';
  let at = 0;
  document.addEventListener('keydown', (event) => {
    const mod = event.metaKey || event.ctrlKey;
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    // Keys that are no character, such as arrows, are nobody's words.
    const isCharacter = !mod && event.key.length === 1;
    if (!mod && typesText(event.target)) return;
    if (isCharacter && !singleKeysChosen()) return;
    const inDialog = document.querySelector('[role="dialog"],[role="alertdialog"]') !== null;
    const key = mod ? `mod+${event.key.toLowerCase()}` : event.key;
    if (inDialog && !mod) return;
    const sequence = event.timeStamp - at < sequencePause && before ? `${before} ${key}` : key;
    const shortcut = active.findLast(({ keys }) => keys === sequence) ?? active.findLast(({ keys }) => keys === key);
    before = shortcut ? '' : key;
    at = event.timeStamp;
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  });
}
