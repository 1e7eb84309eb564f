import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { changePassword } from '../../operations/organizations/users/change-password.js';
import { changeBuildMail } from '../../operations/organizations/users/change-build-mail.js';
import type { BuildMail } from '../../domain/integrations/build-mail.js';
import { BuildMailChoices } from '../enums/organizations.js';
import type { GraphqlContext } from '../context.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { User } from './user.js';
import { Viewer, type ViewerValue } from './viewer.js';

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

@InputType({ description: 'The mail that the viewer wants of their own builds.' })
class UserBuildMailUpdateInput extends MutationInput {
  @Field(() => BuildMailChoices, { description: 'Builds whose end is mailed to the viewer.' })
  buildMail!: BuildMail;
}

@ObjectType({ description: 'The viewer with the mail that they want.' })
class UserBuildMailUpdatePayload extends MutationPayload {
  @Field(() => Viewer, { description: 'The viewer.' })
  viewer!: ViewerValue;
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

  @Mutation(() => UserBuildMailUpdatePayload, {
    ...optional,
    description: 'Changes which ends of their own builds the viewer, who is signed in to the console, gets by mail.',
  })
  async userBuildMailUpdate(
    @Arg('input', () => UserBuildMailUpdateInput, { description: 'The mail that is wanted.' })
    input: UserBuildMailUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { user } = await context.command(changeBuildMail, { buildMail: input.buildMail });
    return payload(input, { viewer: { id: user.id } });
  }
}
