import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { texts } from '../texts/texts';
import { ErrorBoundary } from '../ui/error-boundary';
import { Loading } from '../ui/placeholder';
import { Toasts } from '../ui/toast';
import { Banner } from './banner';
import { Bar } from './bar';
import { DiskBanner } from './disk-banner';
import { useShortcuts } from './shortcuts';
import './shell.css';

const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help')).KeyboardHelp }));

/** What is around every page. */
export function Shell() {
  const { pathname } = useLocation();
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  useShortcuts([
    { keys: 'mod+k', text: texts.shell.shortcuts.palette, run: () => setOpen('palette') },
    { keys: '?', text: texts.shell.shortcuts.help, run: () => setOpen('help') },
  ]);
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {texts.shell.skip}
      </a>
      <Suspense fallback={<div className="bar" />}>
        <ErrorBoundary>
          <Bar openPalette={() => setOpen('palette')} openHelp={() => setOpen('help')} />
        </ErrorBoundary>
      </Suspense>
      <ErrorBoundary quiet>
        <Suspense>
          <Banner />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary quiet>
        <Suspense>
          <DiskBanner />
        </Suspense>
      </ErrorBoundary>
      <main id="content" className="content" tabIndex={-1}>
        <ErrorBoundary resetKey={pathname}>
          <Suspense
            fallback={
              <div className="page">
                <Loading />
              </div>
            }
          >
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Suspense>
        {open === 'palette' && <Palette onClose={() => setOpen(null)} />}
        {open === 'help' && <KeyboardHelp onClose={() => setOpen(null)} />}
      </Suspense>
      <Toasts />
    </div>
  );
}
