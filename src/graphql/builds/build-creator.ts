import { createUnionType } from 'type-graphql';
import { UnregisteredUser } from '../organizations/unregistered-user.js';
import { User } from '../organizations/user.js';

/** Whoever created a build: a user's row, or the author of the commit. */
export const BuildCreator = createUnionType({
  name: 'BuildCreator',
  description: 'Who created a build: a person with an account, or the author of the commit.',
  types: () => [User, UnregisteredUser] as const,
  resolveType: (creator: object) => ('id' in creator ? 'User' : 'UnregisteredUser'),
});
