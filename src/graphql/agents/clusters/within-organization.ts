import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';

/**
 * Returns the address of an object by its id inside the organization that the input names, so that objects of other
 * organizations are answered as absent. An absent organization holds nothing; a hidden one is left to the operation.
 */
export async function withinOrganization(
  context: GraphqlContext,
  organizationId: string,
  id: string,
): Promise<{ organization: string; id: string }> {
  const organization = await context.load.organization.load(uuidOf(organizationId, ['Organization']));
  return { organization: organization?.slug ?? '', id };
}
