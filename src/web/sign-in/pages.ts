import type { Response } from 'express';
import { limits } from '../../domain/limits/limits.js';
import { sendFormPage } from '../form-page.js';
import { escapeHtml } from '../page.js';

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
  sendFormPage(
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
  sendFormPage(
    response,
    page.status,
    `Join ${organization}`,
    `${refusal}<p>${escapeHtml(email)} is invited to join ${escapeHtml(organization)}.</p>${join}${create}${other}`,
  );
}

/** Sends a page that says why somebody could not be signed in, with the way back to the form. */
export function sendRefusal(response: Response, status: number, text: string): void {
  sendFormPage(
    response,
    status,
    'Not signed in',
    `<p class="error" role="alert">${escapeHtml(text)}</p><p><a href="/login">Back to sign in</a></p>`,
  );
}
