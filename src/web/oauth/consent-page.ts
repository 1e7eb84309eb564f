import { limits } from '../../domain/limits/limits.js';
import { isReadScope } from '../../domain/organizations/oauth/requested-scopes.js';
import type { Scope } from '../../domain/organizations/scopes.js';
import { escapeHtml } from '../page.js';

/** An organization that a person may let a program into. */
export interface OfferedOrganization {
  id: string;
  name: string;
  isChosen: boolean;
  /** Whether only its administrators make API tokens, and the person is none. */
  isClosed: boolean;
}

export interface Consent {
  /** Why the last answer was not taken; null before there was one. */
  error: string | null;
  /** Address of the person who is signed in. */
  email: string;
  /** Fields of the form that the person does not see. */
  hidden: Readonly<Record<string, string>>;
  program: string;
  /** Whether the program chose its name itself. */
  isRegistered: boolean;
  /** Where the person goes from here, in HTML; null for a program at another machine. */
  destination: string | null;
  organizations: readonly OfferedOrganization[];
  scopes: readonly { scope: Scope; isChosen: boolean }[];
}

/** Scopes whose names say too little to people. */
const ownWords: Partial<Record<Scope, string>> = {
  graphql: 'everything, on GraphQL',
  read_job_env: 'environments of jobs',
  read_user: 'your name and email',
  read_suites: 'test suites',
  write_suites: 'test suites',
};

const wordsOf = (scope: Scope): string => ownWords[scope] ?? scope.replace(/^(read|write)_/, '').replaceAll('_', ' ');

function checkbox(name: string, value: string, label: string, { isChosen = false, isClosed = false } = {}): string {
  const state = `${isChosen ? ' checked' : ''}${isClosed ? ' disabled' : ''}`;
  const note = isClosed ? ' <span class="quiet">(only administrators make tokens)</span>' : '';
  return (
    `<label class="choice"><input type="checkbox" name="${name}" value="${escapeHtml(value)}"${state}> ` +
    `<span>${escapeHtml(label)}${note}</span></label>`
  );
}

const fieldset = (legend: string, choices: readonly string[], kind = ''): string =>
  choices.length === 0 ? '' : `<fieldset${kind}><legend>${legend}</legend>${choices.join('')}</fieldset>`;

/** The page on which a person lets a program in or not: who asks, where, for what. HTML. */
export function consentContent(consent: Consent): string {
  const { error, email, hidden, program, isRegistered, destination, organizations, scopes } = consent;
  const refusal = error === null ? '' : `<p class="error" id="error" role="alert">${escapeHtml(error)}</p>`;
  const unproven = isRegistered ? ' It chose this name itself, and nobody has checked it.' : '';
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const choice = ({ scope, isChosen }: { scope: Scope; isChosen: boolean }) =>
    checkbox('scope', scope, wordsOf(scope), { isChosen });
  const reading = scopes.filter(({ scope }) => isReadScope(scope)).map(choice);
  const changing = scopes.filter(({ scope }) => !isReadScope(scope)).map(choice);
  const next = destination === null ? '' : `<p>From here you go to ${destination}.</p>`;
  return `${refusal}<p><strong>${escapeHtml(program)}</strong> asks to use Slipway in your name.${unproven}</p>
<p>You are signed in as ${escapeHtml(email)}.</p>${next}
<form method="post">${fields.join('')}
${fieldset(
  'Organizations',
  organizations.map(({ id, name, ...state }) => checkbox('organization', id, name, state)),
)}
${fieldset('It may read', reading, ' class="columns"')}
${fieldset('It may change', changing, ' class="columns"')}
<p class="quiet">It may never do more than you. The access ends after ${limits.oauthTokenDays} days, or when you
revoke it among the API tokens of your account.</p>
<div class="buttons"><button class="button" type="submit" name="decision" value="allow">Allow</button>
<button class="button second" type="submit" name="decision" value="deny">Deny</button></div></form>`;
}
