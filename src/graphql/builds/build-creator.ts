import { createUnionType } from 'type-graphql';
import { UnregisteredUser } from '../organizations/unregistered-user.js';
import { User } from '../organizations/user.js';

/** Value: the row of a user, or the author of the commit. */
export const BuildCreator = createUnionType({
  name: 'BuildCreator',
  description: 'Creator of a build: a user, or the author of the commit.',
  types: () => [User, UnregisteredUser] as const,
  resolveType: (creator: object) => ('id' in creator ? 'User' : 'UnregisteredUser'),
});
