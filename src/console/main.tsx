import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { reloadForNewRelease } from './app/new-release';
import { applyPreferences } from './layout/preferences';
import { startShortcuts } from './layout/shortcuts';
import './design/tokens.css';
import './design/base.css';
import './design/controls.css';
import './ui/page.css';

applyPreferences();
startShortcuts();
reloadForNewRelease();

const root = document.getElementById('console');
if (!root) throw new Error('index.html has no element for the console');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
