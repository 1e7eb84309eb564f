import { createHash } from 'node:crypto';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const style =
  `body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:4rem auto;padding:0 1rem;color:#1c2430}
h1{font-size:1.4rem}code{background:#eef1f5;padding:.1rem ` +
  `.3rem;border-radius:3px;overflow-wrap:anywhere}footer{margin-top:3rem;color:#667}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Content security policy: nothing may be loaded or run except the page's style sheet, by its hash. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action ` +
    `'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const;

export interface Page {
  /** Title of the page, such as `Build 3 of acme/deploy`. */
  title: string;
  /** First heading; the title with `on Slipway` if absent. */
  heading?: string;
  /** REST URL of the same resource, if it has one. */
  api?: string;
  text?: string;
}

/** A whole page; every part is escaped here. */
export function renderPage({ title, heading = `${title} on Slipway`, api, text }: Page): string {
  const about = text ? `<p>${escapeHtml(text)}</p>` : '';
  const data = api ? `<p>Requests with an API token read the data at <code>${escapeHtml(api)}</code>.</p>` : '';
  return (
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" ` +
    `content="width=device-width"><title>${escapeHtml(title)} · Slipway</title><style>${style}</style></head>
<body><h1>${escapeHtml(heading)}</h1>${about}${data}<footer>Slipway, a CI control plane</footer></body></html>
`
  );
}
