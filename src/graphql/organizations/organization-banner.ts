import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import type { OrganizationRow, Row } from '../../entities/database.js';
import { deleteBanner } from '../../operations/organizations/banners/delete.js';
import { getBanner } from '../../operations/organizations/banners/get.js';
import { upsertBanner } from '../../operations/organizations/banners/upsert.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOfList } from '../connections/connection.js';
import { PageInfo } from '../connections/page-info.js';
import type { GraphqlContext } from '../context.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { Node } from '../nodes/node.js';
import { DateTime } from '../scalars/date-time.js';
import { looseList, optional } from '../server/options.js';
import { Organization } from './organization.js';

@ObjectType({ implements: Node, description: 'A message that an organization shows to everybody in the console.' })
export class OrganizationBanner {
  @Field(() => String, { name: 'uuid', description: 'UUID of the banner.' })
  id!: string;

  @Field(() => String, { description: 'Message of the banner.' })
  message!: string;

  @Field(() => DateTime, { description: 'Time the banner was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time the message was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'Item of a list with its cursor.' })
class OrganizationBannerEdge {
  @Field(() => String, { description: 'Cursor of the item, for `after` and `before`.' })
  cursor!: string;

  @Field(() => OrganizationBanner, { ...optional, description: 'Item of the list.' })
  node!: unknown;
}

/** The public schema counts neither these nor API tokens. */
@ObjectType({ description: 'Banners of an organization, of which there is one at most.' })
class OrganizationBannerConnection {
  @Field(() => [OrganizationBannerEdge], { ...looseList, description: 'Items of the page with their cursors.' })
  edges!: unknown[];

  @Field(() => [OrganizationBanner], { ...looseList, description: 'Items of the page, without cursors.' })
  nodes!: unknown[];

  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo;
}

@InputType({ description: 'Message of the banner of an organization.' })
class OrganizationBannerUpsertInput extends MutationInput {
  @Field(() => String, { description: 'Message of the banner.' })
  message!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@InputType({ description: 'Organization whose banner to remove.' })
class OrganizationBannerDeleteInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'The banner after the mutation.' })
class OrganizationBannerUpsertPayload extends MutationPayload {
  @Field(() => OrganizationBanner, { description: 'The banner after the mutation.' })
  banner!: unknown;
}

@ObjectType({ description: 'The removed banner.' })
class OrganizationBannerDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the removed banner.' })
  deletedBannerId!: string;
}

const addressOf = (id: string) => ({ organization: { id: uuidOf(id, ['Organization']) } });

@Resolver(() => Organization)
export class OrganizationBannersResolver {
  @FieldResolver(() => OrganizationBannerConnection, {
    description: 'Banners that the organization shows in the console: one at most.',
  })
  async banners(
    @Root() { id }: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    const paging = stretchOf(args);
    const banner = await context.findInBatch(getBanner, { organization: { id } });
    return connectionOfList<Row<'organization_banners'>>(banner ? [banner.banner] : [], paging);
  }

  @Mutation(() => OrganizationBannerUpsertPayload, {
    ...optional,
    description: 'Sets the banner of an organization.',
  })
  async organizationBannerUpsert(
    @Arg('input', () => OrganizationBannerUpsertInput, { description: 'Organization and message.' })
    input: OrganizationBannerUpsertInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { message, organizationId } = input;
    const { banner } = await context.command(upsertBanner, { message, ...addressOf(organizationId) });
    return payload(input, { banner });
  }

  @Mutation(() => OrganizationBannerDeletePayload, {
    ...optional,
    description: 'Removes the banner of an organization.',
  })
  async organizationBannerDelete(
    @Arg('input', () => OrganizationBannerDeleteInput, { description: 'Organization whose banner to remove.' })
    input: OrganizationBannerDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { banner } = await context.command(deleteBanner, addressOf(input.organizationId));
    return payload(input, { deletedBannerId: encodeNodeId('OrganizationBanner', banner.id) });
  }
}
