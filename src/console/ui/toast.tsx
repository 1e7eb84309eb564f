import { useSyncExternalStore } from 'react';
import { texts } from '../texts/texts';
import { Icon } from './icon';

export interface Toast {
  text: string;
  tone?: 'good' | 'bad';
}

const mostToasts = 4;
/** Refusals stay until dismissed; what went well leaves by itself. */
const goodStays = 5_000;

let toasts: readonly (Toast & { id: number })[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: typeof toasts) {
  toasts = next;
  listeners.forEach((listener) => listener());
}

export function showToast(toast: Toast): void {
  const id = ++lastId;
  change([...toasts, { ...toast, id }].slice(-mostToasts));
  if (toast.tone !== 'bad') setTimeout(() => dismiss(id), goodStays);
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <div key={id} className={`toast ${tone === 'bad' ? 'toast-bad' : ''}`}>
          <span className="grow">{text}</span>
          <button
            type="button"
            className="button button-plain button-icon"
            aria-label={texts.common.dismiss}
            onClick={() => dismiss(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
