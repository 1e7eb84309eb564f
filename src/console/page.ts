import { createHash } from 'node:crypto';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:4rem auto;padding:0 1rem;color:#1c2430}
h1{font-size:1.4rem}code{background:#eef1f5;padding:.1rem .3rem;border-radius:3px;overflow-wrap:anywhere}footer{margin-top:3rem;color:#667}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing may be loaded or run but the one style sheet in the page, by its hash. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

export interface Page {
  /** What the page is of, such as `Build 3 of acme/deploy`. */
  title: string;
  /** The API URL that holds the same thing as data, where there is one. */
  api?: string;
  text?: string;
}

/** A whole page; every part is escaped here. */
export function renderPage({ title, api, text }: Page): string {
  const about = text ? `<p>${escapeHtml(text)}</p>` : '';
  const data = api ? `<p>Its data is at <code>${escapeHtml(api)}</code>, for a request with an API token.</p>` : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Slipway</title><style>${style}</style></head>
<body><h1>${escapeHtml(title)} on Slipway</h1>${about}${data}<footer>Slipway, a CI control plane</footer></body></html>
`;
}
