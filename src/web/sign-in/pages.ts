import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { limits } from '../../domain/limits/limits.js';
import { escapeHtml } from '../page.js';

const style =
  `:root{color-scheme:light ` +
  `dark;--text:#1c2430;--quiet:#5a6472;--line:#8a94a3;--back:#f4f6f9;--card:#fff;--accent:#1f5fd0;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e8ebf0;--quiet:#a9b2c0;--line:#76808f;--back:#12161c;--card:#1b2129;--accent:#8ab4ff;--on:#10151c;--bad:#ff8f87}}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}
main{max-width:24rem;margin:12vh auto;padding:2rem;background:var(--card);border:1px solid ` +
  `var(--line);border-radius:8px}
h1{margin:0 0 1.5rem;font-size:1.3rem}label{display:block;font-weight:600}
input{width:100%;font:inherit;color:inherit;background:transparent;margin:.25rem 0 1rem;padding:.5rem ` +
  `.75rem;border:1px solid var(--line);border-radius:6px}
.button{display:block;width:100%;font:inherit;font-weight:600;text-align:center;text-decoration:none;padding:.6rem;border:1px solid var(--accent);border-radius:6px;cursor:pointer;color:var(--accent);background:transparent}
button.button{color:var(--on);background:var(--accent)}:focus-visible{outline:3px solid ` +
  `var(--accent);outline-offset:2px}
.error{margin:0 0 1rem;padding:.6rem .75rem;border-left:4px solid var(--bad);color:var(--bad)}.or{margin:1rem ` +
  `0;text-align:center;color:var(--quiet)}
a{color:var(--accent)}@media(max-width:27rem){main{margin:0;min-height:100vh;border:0;border-radius:0}}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Nothing is loaded or run but the style sheet, by its hash; forms go to this origin only. With the referrer policy
 * `no-referrer` browsers would send the form with `Origin: null`, which tells it from no other site's.
 */
const headers = {
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action ` +
    `'self'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

function send(response: Response, status: number, title: string, content: string): void {
  response
    .status(status)
    .set(headers)
    .type('html')
    .send(
      `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, ` +
        `initial-scale=1"><title>${escapeHtml(title)} · Slipway</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>
`,
    );
}

export interface SignInForm {
  status: number;
  /** What was typed into the first field. */
  email: string;
  /** Why the last attempt failed; null before there was one. */
  error: string | null;
  /** Path of single sign-on; null if none is configured. */
  singleSignOn: string | null;
}

/**
 * Sends the sign-in page. The form has no action, so that it goes to the address of the page with all of it, also the
 * part behind `#` that only the browser knows: redirects keep it, and a link to a job still finds the job.
 */
export function sendSignInPage(response: Response, { status, email, error, singleSignOn }: SignInForm): void {
  const refusal = error === null ? '' : `<p class="error" id="error" role="alert">${escapeHtml(error)}</p>`;
  const described = error === null ? '' : ' aria-invalid="true" aria-describedby="error"';
  const [focusEmail, focusPassword] = email === '' ? [' autofocus', ''] : ['', ' autofocus'];
  const other =
    singleSignOn === null
      ? ''
      : `<p class="or">or</p><a class="button" href="${escapeHtml(singleSignOn)}">Sign in with single sign-on</a>`;
  send(
    response,
    status,
    'Sign in',
    `${refusal}<form method="post">
<label for="email">Email</label><input id="email" name="email" type="email" autocomplete="username" required ` +
      `maxlength="255" value="${escapeHtml(email)}"${described}${focusEmail}>
<label for="password">Password</label><input id="password" name="password" type="password" ` +
      `autocomplete="current-password" required maxlength="1000"${described}${focusPassword}>
<button class="button" type="submit">Sign in</button></form>${other}`,
  );
}

export interface InvitationPage {
  status: number;
  /** Why the last attempt failed; null before there was one. */
  error: string | null;
  /** What was typed as the name. */
  name: string;
  organization: string;
  /** The invited address. */
  email: string;
  /** Address of the person who is signed in; null for nobody. */
  signedInAs: string | null;
  /** Path of the sign-in page, which leads back; null where nobody could sign in as the invited. */
  signIn: string | null;
  /** Whether an account can be made for the invited address. */
  mayCreate: boolean;
}

/** Sends the page of an invitation: one button for somebody who is signed in, else the ways to an account. */
export function sendInvitationPage(response: Response, page: InvitationPage): void {
  const { error, name, organization, email, signedInAs, signIn, mayCreate } = page;
  const refusal = error === null ? '' : `<p class="error" id="error" role="alert">${escapeHtml(error)}</p>`;
  const described = error === null ? '' : ' aria-describedby="error"';
  const join =
    signedInAs === null
      ? ''
      : `<p>You are signed in as ${escapeHtml(signedInAs)}.</p><form method="post"><button class="button" ` +
        `type="submit">Join with this account</button></form>`;
  const create =
    signedInAs !== null || !mayCreate
      ? ''
      : `<form method="post"><input type="hidden" name="email" autocomplete="username" value="${escapeHtml(email)}">
<label for="name">Your name</label><input id="name" name="name" autocomplete="name" required ` +
        `maxlength="255" value="${escapeHtml(name)}"${described}>
<label for="password">New password</label><input id="password" name="password" type="password" ` +
        `autocomplete="new-password" required ` +
        `minlength="${limits.passwordLengthMinimum}" maxlength="${limits.passwordLength}"${described}>
<button class="button" type="submit">Create account and join</button></form>`;
  const other =
    signedInAs !== null || signIn === null
      ? ''
      : `${mayCreate ? '<p class="or">or</p>' : ''}<a class="button" href="${escapeHtml(signIn)}">Sign in to join</a>`;
  send(
    response,
    page.status,
    `Join ${organization}`,
    `${refusal}<p>${escapeHtml(email)} is invited to join ${escapeHtml(organization)}.</p>${join}${create}${other}`,
  );
}

/** Sends a page that says why somebody could not be signed in, with the way back to the form. */
export function sendRefusal(response: Response, status: number, text: string): void {
  send(
    response,
    status,
    'Not signed in',
    `<p class="error" role="alert">${escapeHtml(text)}</p><p><a href="/login">Back to sign in</a></p>`,
  );
}
