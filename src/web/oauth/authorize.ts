import type { RequestHandler, Response } from 'express';
import { perform } from '../../core/operation.js';
import { isLoopback, redirectWith } from '../../domain/organizations/oauth/redirect-uri.js';
import { Problem } from '../../domain/problem.js';
import { refreshSession } from '../../http/browser-session.js';
import { isFromOwnPage } from '../../http/own-origin.js';
import { problemStatuses } from '../../http/problem-reply.js';
import { approveGrant } from '../../operations/organizations/oauth/approve.js';
import type { Services } from '../../services/services.js';
import { sendFormPage } from '../form-page.js';
import { escapeHtml } from '../page.js';
import { readForm, signInContext } from '../sign-in/request.js';
import { type AccessRequest, type Asker, readAccessRequest, type WrongRequest } from './access-request.js';
import { chosenIn, offeredOrganizations, type Person, sentenceOf, signedInPerson } from './consent.js';
import { consentContent } from './consent-page.js';
import { parameterOf } from './parameters.js';
import { guarded, sendRefusal } from './pages.js';

/**
 * `/oauth/authorize`: a person lets a program in, or not (RFC 6749, section 4.1). What is asked for stands in the
 * address, which the form is sent to again, so that it is checked anew with the answer.
 */
export const showConsent = (services: Services): RequestHandler =>
  guarded(services, async (request, response) => {
    const ask = await readAccessRequest(signInContext(services, request, response), request);
    if ('error' in ask) return sendWrong(services, response, ask);
    const person = await signedInPerson(services, request, response);
    if (!person) return;
    await refreshSession(services, response, person.session);
    await sendConsent(response, person, ask, {
      status: 200,
      error: null,
      scopes: ask.scopes,
      isAsked: ({ id, slug }) => ask.organization === id || ask.organization === slug,
    });
  });

export const decide = (services: Services): RequestHandler =>
  guarded(services, async (request, response) => {
    // Unlike at the sign-in page a program is nobody who answers: only a browser says that a page of ours has sent it.
    if (!isFromOwnPage(services, request))
      throw new Problem('forbidden', 'This form was sent by a page of another site. Please use the one here.');
    const ask = await readAccessRequest(signInContext(services, request, response), request);
    if ('error' in ask) return sendWrong(services, response, ask);
    const person = await signedInPerson(services, request, response);
    if (!person) return;
    const form = await readForm(request);
    if (parameterOf(form, 'user') !== person.session.actor.userId)
      throw new Problem('forbidden', 'Somebody else has signed in meanwhile. Please begin again in the program.');
    if (parameterOf(form, 'decision') !== 'allow')
      return sendBack(services, response, ask, { error: 'access_denied', error_description: 'The person refused' });
    await allow(services, response, person, ask, form);
  });

async function allow(
  services: Services,
  response: Response,
  person: Person,
  ask: AccessRequest,
  form: URLSearchParams,
): Promise<void> {
  const { client, redirectUri, codeChallenge, resource } = ask;
  try {
    const { code } = await perform(approveGrant, person.context, {
      ...chosenIn(form, ask.scopes),
      client: client.id,
      redirectUri,
      codeChallenge,
      resource,
    });
    sendBack(services, response, ask, { code });
  } catch (error) {
    const sentence = error instanceof Problem ? sentenceOf(error) : null;
    if (!(error instanceof Problem) || sentence === null) throw error;
    await sendConsent(response, person, ask, {
      status: problemStatuses[error.code],
      error: sentence,
      scopes: form.getAll('scope'),
      isAsked: ({ id }) => form.getAll('organization').includes(id),
    });
  }
}

interface Shown {
  status: number;
  error: string | null;
  /** Scopes that are chosen already. */
  scopes: readonly string[];
  isAsked: (organization: { id: string; slug: string }) => boolean;
}

async function sendConsent(response: Response, person: Person, ask: AccessRequest, shown: Shown): Promise<void> {
  const content = consentContent({
    error: shown.error,
    email: person.email,
    hidden: { user: person.session.actor.userId },
    program: ask.client.name,
    isRegistered: ask.client.isRegistered,
    destination: destinationOf(ask),
    organizations: await offeredOrganizations(person, shown.isAsked),
    scopes: ask.scopes.map((scope) => ({ scope, isChosen: shown.scopes.includes(scope) })),
  });
  sendFormPage(response, shown.status, 'Let a program in', content, { formTarget: targetOf(ask) });
}

/** Where a person goes after the answer, in HTML. */
function destinationOf({ redirect }: Asker): string {
  if (isLoopback(redirect)) return `a program on this computer (<code>${escapeHtml(redirect.host)}</code>)`;
  if (redirect.protocol === 'https:') return `<code>${escapeHtml(redirect.host)}</code>`;
  return `the app that opens <code>${escapeHtml(redirect.protocol)}</code> addresses`;
}

/** The source in the words of a content security policy, which has none for hosts of IPv6. */
const targetOf = ({ redirect }: Asker): string =>
  /^https?:$/.test(redirect.protocol) && !redirect.hostname.startsWith('[') ? redirect.origin : redirect.protocol;

/** Sends the browser back to the program with an answer, and with who gives it (RFC 9207). */
function sendBack(
  { baseUrl }: Services,
  response: Response,
  { redirect, state }: Asker,
  answer: Readonly<Record<string, string>>,
): void {
  response
    .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .redirect(303, redirectWith(redirect, { ...answer, state, iss: baseUrl }));
}

/**
 * Tells a program that its request is wrong. Nobody has let it in yet, and anybody registers: without being asked,
 * a person is sent to their own machine only, because an address of ours would lead wherever somebody wants else.
 */
function sendWrong(services: Services, response: Response, ask: WrongRequest): void {
  const answer = { error: ask.error, error_description: ask.description };
  if (isLoopback(ask.redirect)) return sendBack(services, response, ask, answer);
  sendRefusal(response, 400, `The request of the program is wrong: ${ask.description}.`);
}
