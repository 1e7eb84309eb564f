import { Field, InputType } from 'type-graphql';
import { OrganizationMemberSSOModeEnum } from '../enums.js';
import { optional } from '../server/options.js';

@InputType({ description: 'Single sign-on of a member.' })
export class OrganizationMemberSSOInput {
  @Field(() => OrganizationMemberSSOModeEnum, {
    description: 'Whether only sessions that began with single sign-on reach the organization.',
  })
  mode!: string;
}

@InputType({ description: 'Account security of members.' })
export class OrganizationMemberSecurityInput {
  @Field(() => Boolean, { ...optional, description: 'Whether the account has a password.' })
  passwordProtected?: boolean | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether two-factor authentication is enabled: no account of Slipway has a second factor of its own.',
  })
  twoFactorEnabled?: boolean | null;
}
