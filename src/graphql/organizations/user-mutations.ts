import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { changePassword } from '../../operations/organizations/users/change-password.js';
import type { GraphqlContext } from '../context.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { User } from './user.js';

@InputType({ description: 'The present password of the viewer, and the one that takes its place.' })
class UserPasswordChangeInput extends MutationInput {
  @Field(() => String, { description: 'The password that the viewer signs in with.' })
  currentPassword!: string;

  @Field(() => String, { description: 'The new password: at least 8 characters, and none that people choose most.' })
  newPassword!: string;
}

@ObjectType({ description: 'The user whose password was changed.' })
class UserPasswordChangePayload extends MutationPayload {
  @Field(() => User, { description: 'The viewer.' })
  user!: User;
}

@Resolver()
export class UserMutations {
  @Mutation(() => UserPasswordChangePayload, {
    ...optional,
    description:
      'Changes the password of the viewer, who is signed in to the console, and ends all other sessions of theirs. ' +
      'API tokens stay.',
  })
  async userPasswordChange(
    @Arg('input', () => UserPasswordChangeInput, { description: 'The passwords.' }) input: UserPasswordChangeInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { currentPassword, newPassword } = input;
    const { user } = await context.command(changePassword, { currentPassword, newPassword });
    return payload(input, { user });
  }
}
