import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { escapeHtml } from './page.js';

const style = `:root{color-scheme:light dark;--text:#1c2430;--quiet:#5a6472;--line:#8a94a3;--back:#f4f6f9;
--card:#fff;--accent:#1f5fd0;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e8ebf0;--quiet:#a9b2c0;--line:#76808f;--back:#12161c;
--card:#1b2129;--accent:#8ab4ff;--on:#10151c;--bad:#ff8f87}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}
main{max-width:24rem;margin:12vh auto;padding:2rem;background:var(--card);
border:1px solid var(--line);border-radius:8px}
h1{margin:0 0 1.5rem;font-size:1.3rem}
label{display:block;font-weight:600}
input{width:100%;font:inherit;color:inherit;background:transparent;margin:.25rem 0 1rem;padding:.5rem .75rem;
border:1px solid var(--line);border-radius:6px}
.button{display:block;width:100%;font:inherit;font-weight:600;text-align:center;text-decoration:none;padding:.6rem;
border:1px solid var(--accent);border-radius:6px;cursor:pointer;color:var(--accent);background:transparent}
button.button{color:var(--on);background:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.error{margin:0 0 1rem;padding:.6rem .75rem;border-left:4px solid var(--bad);color:var(--bad)}
.quiet{color:var(--quiet);font-size:.9rem}
fieldset{margin:1rem 0;padding:.25rem 1rem .75rem;border:1px solid var(--line);border-radius:6px}
legend{padding:0 .4rem;font-weight:600}
.choice{display:flex;gap:.5rem;align-items:baseline;font-weight:400;break-inside:avoid}
.choice input{width:auto;margin:.3rem 0;flex:none}
.columns{columns:2;column-gap:1rem}
.buttons{display:grid;gap:.5rem}
button.second{color:var(--accent);background:transparent}
code{overflow-wrap:anywhere}
.or{margin:1rem 0;text-align:center;color:var(--quiet)}
a{color:var(--accent)}
@media(max-width:27rem){main{margin:0;min-height:100vh;border:0;border-radius:0}}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Nothing is loaded or run but the style sheet, by its hash; forms go to this origin only. With the referrer policy
 * `no-referrer` browsers would send the form with `Origin: null`, which tells it from no other site's.
 */
const headersOf = (formTarget: string) => ({
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action ` +
    `'self'${formTarget === '' ? '' : ` ${formTarget}`}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
});

/**
 * Sends a page with a form that needs no script. `content` is HTML: whoever makes it has escaped its texts.
 * `formTarget` is the source, of a content security policy, that the answer to the form may lead to: browsers ask for
 * it as well.
 */
export function sendFormPage(
  response: Response,
  status: number,
  title: string,
  content: string,
  { formTarget = '' }: { formTarget?: string } = {},
): void {
  response
    .status(status)
    .set(headersOf(formTarget))
    .type('html')
    .send(
      `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, ` +
        `initial-scale=1"><title>${escapeHtml(title)} · Slipway</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>
`,
    );
}
