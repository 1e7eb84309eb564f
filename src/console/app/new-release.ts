import { texts } from '../texts/texts';
import { showToast } from '../ui/toast';

const key = 'slipway:reloaded-at';
/** Set for the page that is loaded next, which says so once. */
const unsaid = 'slipway:reload-unsaid';
/** A page that fails again so soon after it was loaded anew is not helped by that. */
const once = 60_000;

/**
 * Loads the page anew when a part of the console cannot be fetched although the server answers: it has become another
 * release, whose files have other names. Says so afterwards, since the person did not ask for it.
 */
export function reloadForNewRelease(): void {
  const reloadedAt = Number(sessionStorage.getItem(key) ?? 0);
  const isRecent = Date.now() - reloadedAt < once;
  if (sessionStorage.getItem(unsaid) !== null) showToast({ text: texts.shell.reloaded });
  sessionStorage.removeItem(unsaid);
  let isHandled = isRecent;
  window.addEventListener('vite:preloadError', () => {
    if (isHandled) return;
    isHandled = true;
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => {
        isHandled = ok;
        if (!ok) return;
        sessionStorage.setItem(key, String(Date.now()));
        sessionStorage.setItem(unsaid, '');
        window.location.reload();
      },
      () => (isHandled = false),
    );
  });
}

/** Whether an error is that of a part of the console that could not be fetched: trying again needs the page anew. */
export const isMissingPart = (error: Error): boolean =>
  /dynamically imported module|module script failed|Unable to preload/i.test(error.message);
