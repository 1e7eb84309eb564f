import type { RequestHandler, Response } from 'express';
import { perform } from '../../core/operation.js';
import { readUserCode, showUserCode } from '../../domain/organizations/oauth/user-code.js';
import { Problem } from '../../domain/problem.js';
import { refreshSession } from '../../http/browser-session.js';
import { isFromOwnPage } from '../../http/own-origin.js';
import { problemStatuses } from '../../http/problem-reply.js';
import { queryOf } from '../../http/query.js';
import { approveDevice } from '../../operations/organizations/oauth/approve-device.js';
import { countOauthStep } from '../../operations/organizations/oauth/count-step.js';
import { denyDevice } from '../../operations/organizations/oauth/deny-device.js';
import { findDevice } from '../../operations/organizations/oauth/find-device.js';
import { findOauthClient } from '../../operations/organizations/oauth/find-client.js';
import type { WaitingDevice } from '../../resources/organizations/oauth/waiting-device.js';
import type { Services } from '../../services/services.js';
import { sendFormPage } from '../form-page.js';
import { escapeHtml } from '../page.js';
import { readForm, signInContext } from '../sign-in/request.js';
import { chosenIn, offeredOrganizations, type Person, sentenceOf, signedInPerson } from './consent.js';
import { consentContent } from './consent-page.js';
import { parameterOf } from './parameters.js';
import { guarded } from './pages.js';

const unknownCode = 'No program waits with this code. It may be over: please begin again in the program.';

/** `/oauth/device`: a person types the code that a program at another machine shows (RFC 8628, section 3.3). */
export const showCodeForm = (services: Services): RequestHandler =>
  guarded(services, async (request, response) => {
    const person = await signedInPerson(services, request, response);
    if (!person) return;
    await refreshSession(services, response, person.session);
    const code = readUserCode(parameterOf(queryOf(request), 'user_code') ?? '');
    sendCodeForm(response, { status: 200, typed: code === null ? '' : showUserCode(code), error: null });
  });

function sendCodeForm(
  response: Response,
  { status, typed, error }: { status: number; typed: string; error: string | null },
): void {
  const refusal = error === null ? '' : `<p class="error" id="error" role="alert">${escapeHtml(error)}</p>`;
  const described = error === null ? '' : ' aria-invalid="true" aria-describedby="error"';
  sendFormPage(
    response,
    status,
    'Let a program in',
    `${refusal}<p>Go on only if you have started the program yourself, and it shows this code.</p>
<form method="post"><label for="user_code">Code</label><input id="user_code" name="user_code" required ` +
      `maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" ` +
      `value="${escapeHtml(typed)}"${described} autofocus>
<button class="button" type="submit">Continue</button></form>`,
  );
}

/** Shows what the program behind a code asks for, or takes the answer. */
export const answerDevice = (services: Services): RequestHandler =>
  guarded(services, async (request, response) => {
    if (!isFromOwnPage(services, request))
      throw new Problem('forbidden', 'This form was sent by a page of another site. Please use the one here.');
    const person = await signedInPerson(services, request, response);
    if (!person) return;
    const form = await readForm(request);
    const { userId } = person.session.actor;
    await perform(countOauthStep, signInContext(services, request, response), { step: 'user-code', userId });
    const typed = (parameterOf(form, 'user_code') ?? '').slice(0, 20);
    const userCode = readUserCode(typed);
    const decision = parameterOf(form, 'decision');
    const waiting = userCode === null ? null : await waitingBehind(person, userCode);
    if (userCode === null || !waiting) return sendCodeForm(response, { status: 404, typed, error: unknownCode });
    if (decision === null) return sendConsent(services, response, person, { userCode, waiting, form: null });
    if (parameterOf(form, 'user') !== userId)
      throw new Problem('forbidden', 'Somebody else has signed in meanwhile. Please type the code again.');
    if (decision !== 'allow') {
      await perform(denyDevice, person.context, { userCode });
      return sendEnd(response, `${waiting.name} got no access.`);
    }
    try {
      await perform(approveDevice, person.context, { userCode, ...chosenIn(form, waiting.scopes) });
    } catch (error) {
      const sentence = error instanceof Problem ? sentenceOf(error) : null;
      if (!(error instanceof Problem) || sentence === null) throw error;
      const shown = { userCode, waiting, form, error: sentence, status: problemStatuses[error.code] };
      return sendConsent(services, response, person, shown);
    }
    sendEnd(response, `${waiting.name} has access now. You can close this page and go on in the program.`);
  });

async function waitingBehind({ context }: Person, userCode: string): Promise<WaitingDevice | null> {
  try {
    return (await perform(findDevice, context, { userCode })).grant;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

interface Shown {
  userCode: string;
  waiting: WaitingDevice;
  /** The answer that was not taken; null before there was one. */
  form: URLSearchParams | null;
  error?: string;
  status?: number;
}

async function sendConsent(
  services: Services,
  response: Response,
  person: Person,
  { userCode, waiting, form, error, status = 200 }: Shown,
): Promise<void> {
  const { client } = await perform(findOauthClient, signInContext(services, response.req, response), {
    id: waiting.client,
  });
  const content = consentContent({
    error: error ?? null,
    email: person.email,
    hidden: { user: person.session.actor.userId, user_code: userCode },
    program: waiting.name,
    isRegistered: client?.isRegistered ?? true,
    destination: null,
    organizations: await offeredOrganizations(person, ({ id }) => form?.getAll('organization').includes(id) ?? false),
    scopes: waiting.scopes.map((scope) => ({
      scope,
      isChosen: form === null || form.getAll('scope').includes(scope),
    })),
  });
  sendFormPage(response, status, 'Let a program in', content);
}

function sendEnd(response: Response, text: string): void {
  sendFormPage(response, 200, 'Done', `<p role="status">${escapeHtml(text)}</p>`);
}
