import { z } from 'zod';
import { branchPatternProblem } from '../../../domain/pipelines/branch-pattern.js';
import { limits } from '../../../domain/limits/limits.js';
import { notifiedStates, type NotifiedState } from '../../../domain/integrations/notified-states.js';
import { filledText, flag, oneOf, orMissing, text } from '../../../domain/input-text.js';

/** Form of the URL for clients that check before they send; the server parses it. */
const receiverPattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+([/?#]\\S*)?$';

/** An http or https URL without credentials in it: every reader of the service would see them. */
export const receiverUrl = filledText(limits.notificationUrlLength)
  .refine((value) => {
    if (!URL.canParse(value)) return false;
    const url = new URL(value);
    return /^https?:$/.test(url.protocol) && url.hostname !== '' && url.username === '' && url.password === '';
  }, 'must be an http or https URL without a user name or password')
  .overwrite(asUri)
  .meta({ pattern: receiverPattern });

/** A URI of RFC 3986: its host, which may be an address in brackets, then path, query and fragment. */
const uri =
  /^https?:\/\/(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})*(?:\[[\da-f:.]+\](?::\d*)?)?(?:[/?](?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;

/**
 * A URL that is no URI, such as one with characters of other scripts, as the URI to which it is sent; any other as it
 * is.
 */
function asUri(value: string): string {
  if (uri.test(value) || !URL.canParse(value)) return value;
  const { origin, href } = new URL(value);
  const [path = '', ...fragment] = href.slice(origin.length).split('#');
  const escaped = (text: string) =>
    text.replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent).replace(/%(?![\da-f]{2})/gi, '%25');
  return `${origin}${escaped(path)}${fragment.length > 0 ? `#${fragment.map(escaped).join('%23')}` : ''}`;
}

const branchConfiguration = text(limits.branchPatternLength).superRefine((patterns, context) => {
  const problem = branchPatternProblem(patterns);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/** Whether each outcome is notified of; unknown keys are ignored. */
const buildStates = z.object(
  Object.fromEntries(notifiedStates.map((state) => [state, flag.optional()])) as Record<
    NotifiedState,
    z.ZodOptional<typeof flag>
  >,
  { error: orMissing('must be an object') },
);

/** The other fields of a service. */
export const serviceFields = {
  description: filledText(limits.nameLength),
  scope: oneOf(['all', 'some_projects', 'some_teams', 'some_clusters']),
  scopeUuids: z
    .array(z.uuid('must be a UUID'), { error: orMissing('must be a list of UUIDs') })
    .max(limits.notificationScopeIds, `has more than ${limits.notificationScopeIds} entries`),
  /** Empty: every branch. */
  branchConfiguration,
  buildStates,
};
