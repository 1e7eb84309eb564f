import type { Request, Response } from 'express';
import type { FoundSession } from '../../auth/sessions.js';
import { perform } from '../../core/operation.js';
import { limits } from '../../domain/limits/limits.js';
import type { Scope } from '../../domain/organizations/scopes.js';
import { Problem } from '../../domain/problem.js';
import { authenticateBrowser } from '../../http/browser-session.js';
import { originOf } from '../../http/client-address.js';
import { listOrganizations } from '../../operations/organizations/list.js';
import { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import { signInPath } from '../sign-in/return-to.js';
import type { OfferedOrganization } from './consent-page.js';

/** The person who is signed in, and the context of what they do. */
export interface Person {
  session: FoundSession;
  context: Context;
  email: string;
}

/** The person who is signed in; sends anybody else to the sign-in page, from which they come back, and gives null. */
export async function signedInPerson(services: Services, request: Request, response: Response): Promise<Person | null> {
  try {
    const session = await authenticateBrowser(services, request);
    response.locals['actor'] = session.actor;
    const requestId = String(response.getHeader('X-Request-Id') ?? '');
    const origin = originOf(request, services.trustsProxy);
    const context = new Context(services, { actor: session.actor, surface: 'web', requestId, ...origin });
    const user = await context.load.user.load(session.actor.userId);
    if (user) return { session, context, email: user.email };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unauthenticated') throw error;
  }
  response.set('Cache-Control', 'no-store').redirect(302, signInPath(request.originalUrl));
  return null;
}

/**
 * The organizations that a person may let a program into, by name. Chosen is what `isAsked` says; without an answer the
 * only one there is.
 */
export async function offeredOrganizations(
  { context, session }: Person,
  isAsked: (organization: { id: string; slug: string }) => boolean,
): Promise<OfferedOrganization[]> {
  const paging = { page: 1, perPage: limits.apiTokenOrganizations };
  const { rows } = await perform(listOrganizations, context, { paging });
  return rows
    .map((row) => {
      const isClosed = row.restrictUserApiTokenCreation && session.actor.roles.get(row.id) !== 'admin';
      return { id: row.id, name: row.name, isClosed, isChosen: !isClosed && (rows.length === 1 || isAsked(row)) };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** What a person has answered in the form, of what was asked. */
export function chosenIn(form: URLSearchParams, offer: readonly Scope[]): { scopes: Scope[]; organizations: string[] } {
  const words = new Set(form.getAll('scope'));
  const scopes = offer.filter((scope) => words.has(scope));
  const organizations = [...new Set(form.getAll('organization'))];
  if (organizations.length === 0) throw new Problem('not_applicable', 'Please choose an organization.');
  if (scopes.length === 0) throw new Problem('not_applicable', 'Please choose something that the program may do.');
  return { scopes, organizations };
}

/** What is wrong with an answer, for people; null where it is nothing that they can change in the form. */
export function sentenceOf({ code, message, details }: Problem): string | null {
  if (code === 'not_applicable') return message;
  const [first] = details.fields ?? [];
  return code === 'invalid' && first ? `Your choice ${first.code}.` : null;
}
