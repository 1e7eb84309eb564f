import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';

/**
 * The address of a thing by its id, inside the organization that the input names: the thing of another one is not there
 * (graphql-facts 1.4). An organization that does not exist has nothing; one that is hidden is for the operation to hide.
 */
export async function withinOrganization(context: GraphqlContext, organizationId: string, id: string): Promise<{ organization: string; id: string }> {
  const organization = await context.load.organization.load(uuidOf(organizationId, ['Organization']));
  return { organization: organization?.slug ?? '', id };
}
