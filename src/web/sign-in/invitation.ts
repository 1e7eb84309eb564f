import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Context } from '../../request/context.js';
import { perform } from '../../core/operation.js';
import { limits } from '../../domain/limits/limits.js';
import type { SignInMethod } from '../../domain/organizations/sso-mode.js';
import { Problem } from '../../domain/problem.js';
import { authenticateBrowser } from '../../http/browser-session.js';
import { problemOf, problemStatuses } from '../../http/problem-reply.js';
import { isOpenTo } from '../../resources/organizations/invitations/is-open-to.js';
import { acceptInvitation } from '../../operations/organizations/sign-in/accept-invitation.js';
import { findOpenInvitation } from '../../operations/organizations/sign-in/find-invitation.js';
import type { Services } from '../../services/services.js';
import { sendInvitationPage, sendRefusal } from './pages.js';
import { beginSession, isFromForeignPage, readForm, signInContext } from './request.js';
import { signInPath, singleSignOnPath } from './return-to.js';

type InvitationRequest = Request<{ token: string }>;

/**
 * `/invitations/{token}`: the page at which somebody joins an organization, with the account they have or a new one.
 */
export function invitationRouter(services: Services): Router {
  const router = Router();
  router.get('/:token', showInvitation(services));
  router.post('/:token', accept(services));
  return router;
}

interface Person {
  userId: string;
  email: string;
  method: SignInMethod;
}

/** The person who is signed in; null for nobody. */
async function personOf(context: Context, request: Request): Promise<Person | null> {
  try {
    const { actor, method } = await authenticateBrowser(context.services, request);
    const user = await context.load.user.load(actor.userId);
    return user && { userId: user.id, email: user.email, method };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function sendPage(
  services: Services,
  request: InvitationRequest,
  response: Response,
  { status = 200, name = '', error = null }: { status?: number; name?: string; error?: string | null } = {},
): Promise<void> {
  const { token } = request.params;
  const context = signInContext(services, request as Request, response);
  const { invitation, organization, hasAccount } = await perform(findOpenInvitation, context, { token });
  const person = await personOf(context, request as Request);
  const mayJoin = person !== null && isOpenTo(services, invitation, person.method);
  const bySingleSignOn = !isOpenTo(services, invitation, 'password');
  const path = `/invitations/${encodeURIComponent(token)}`;
  // Single sign-on accepts the invitation of somebody without an account, so that its page is over then.
  const signIn = bySingleSignOn ? singleSignOnPath(hasAccount ? path : `/${organization.slug}`) : signInPath(path);
  sendInvitationPage(response, {
    status,
    error,
    name,
    organization: organization.name,
    email: invitation.email,
    signedInAs: mayJoin ? person.email : null,
    signIn: hasAccount || services.singleSignOn ? signIn : null,
    mayCreate: !hasAccount && !bySingleSignOn,
  });
}

const showInvitation =
  (services: Services): RequestHandler<{ token: string }> =>
  async (request, response) => {
    try {
      await sendPage(services, request, response);
    } catch (error) {
      refuse(response, error);
    }
  };

const accept =
  (services: Services): RequestHandler<{ token: string }> =>
  async (request, response) => {
    const plain = request as Request;
    if (isFromForeignPage(services, plain))
      return sendRefusal(response, 403, 'This form was sent by a page of another site. Please use the one here.');
    let name = '';
    try {
      const form = await readForm(plain);
      name = form.get('name')?.trim() ?? '';
      const context = signInContext(services, plain, response);
      const person = await personOf(context, plain);
      const by = person
        ? { userId: person.userId, method: person.method }
        : { name, password: form.get('password') ?? '' };
      const { userId, organization } = await perform(acceptInvitation, context, { token: request.params.token, by });
      if (!person) await beginSession(context, plain, response, { userId, method: 'password' });
      response.redirect(303, `/${organization.slug}`);
    } catch (error) {
      const problem = problemOf(error);
      if (problem?.code !== 'invalid' && problem?.code !== 'not_applicable') return refuse(response, error);
      const message = problem.code === 'invalid' ? sentenceOf(problem) : problem.message;
      try {
        await sendPage(services, request, response, { status: problemStatuses[problem.code], name, error: message });
      } catch (other) {
        refuse(response, other);
      }
    }
  };

/** What to change in the form, for people. */
function sentenceOf({ details: { fields = [] } }: Problem): string {
  const reason = fields.find(({ field }) => field === 'password' || field === 'by.password')?.code;
  const { passwordLengthMinimum: least } = limits;
  if (reason === undefined) return `Please enter your name and a password of at least ${least} characters.`;
  return `The password ${reason}. Please choose another one.`;
}

function refuse(response: Response, error: unknown): void {
  const problem = problemOf(error);
  if (!problem) throw error;
  if (problem.details.retryAfter !== undefined) response.set('Retry-After', String(problem.details.retryAfter));
  sendRefusal(response, problemStatuses[problem.code], problem.message);
}
