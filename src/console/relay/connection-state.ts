import { useSyncExternalStore } from 'react';

/** How current the pages are: `idle` while nothing is subscribed, `lost` between a break and the next success. */
export type ConnectionState = 'idle' | 'connecting' | 'live' | 'lost' | 'offline';

let socket: Exclude<ConnectionState, 'offline'> = 'idle';
const listeners = new Set<() => void>();

const announce = () => listeners.forEach((listener) => listener());

export function setSocketState(state: typeof socket): void {
  socket = state;
  announce();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const read = (): ConnectionState => (navigator.onLine ? socket : 'offline');

export const useConnectionState = (): ConnectionState => useSyncExternalStore(subscribe, read);
