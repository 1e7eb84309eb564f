import type { Context } from '../../request/context.js';

/** Returns the slugs of a user's teams in an organization, sorted. */
export function teamSlugsOf(context: Context, organizationId: string, userId: string): Promise<string[]> {
  return context.load.teamSlugsOfUser.load(`${organizationId} ${userId}`);
}
