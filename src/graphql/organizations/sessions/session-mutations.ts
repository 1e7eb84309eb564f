import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { revokeSessions } from '../../../operations/organizations/sessions/revoke-all.js';
import { revokeSession } from '../../../operations/organizations/sessions/revoke.js';
import type { GraphqlContext } from '../../context.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';

@InputType({ description: 'Session to end.' })
class SessionRevokeInput extends IdInput {}

@ObjectType({ description: 'The session that was ended.' })
class SessionRevokePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the session.' })
  revokedSessionId!: string;
}

@InputType({ description: 'Which sessions to end.' })
class SessionRevokeAllInput extends MutationInput {
  @Field(() => Boolean, {
    ...optional,
    description: 'True keeps the session of this request; false, the default, signs out here too.',
  })
  keepCurrent?: boolean | null;
}

@ObjectType({ description: 'The sessions that were ended.' })
class SessionRevokeAllPayload extends MutationPayload {
  @Field(() => [ID], { description: 'GraphQL IDs of the sessions.' })
  revokedSessionIds!: string[];
}

@Resolver()
export class SessionMutations {
  @Mutation(() => SessionRevokePayload, { ...optional, description: 'Ends a session of the viewer.' })
  async sessionRevoke(
    @Arg('input', () => SessionRevokeInput, { description: 'Session to end.' }) input: SessionRevokeInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { session } = await context.command(revokeSession, { id: input.id });
    return payload(input, { revokedSessionId: encodeNodeId('Session', session.id) });
  }

  @Mutation(() => SessionRevokeAllPayload, {
    ...optional,
    description: 'Signs the viewer out everywhere, or everywhere else.',
  })
  async sessionRevokeAll(
    @Arg('input', () => SessionRevokeAllInput, { description: 'Which sessions to end.' }) input: SessionRevokeAllInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { revoked } = await context.command(revokeSessions, { others: input.keepCurrent ?? false });
    return payload(input, { revokedSessionIds: revoked.map((id) => encodeNodeId('Session', id)) });
  }
}
