import type { GraphqlError } from '../relay/graphql-error';
import { texts } from '../texts/texts';
import { snake } from './snake';

/** What the operation says about one input field; `name` as the input names it. */
export function problemOf(error: GraphqlError | null, name: string): string | undefined {
  const fits = (field: string) => [name, snake(name)].some((each) => field === each || field.endsWith(`.${each}`));
  const match = error?.fields.find(({ field }) => fits(field));
  if (match) return match.message === 'missing' ? texts.errors.missing : match.message;
  // Some operations refuse by a sentence that begins with the field.
  const [, field = '', reason] = /^Validation failed: (\w+) (.+)$/i.exec(error?.message ?? '') ?? [];
  return fits(field) ? reason : undefined;
}
