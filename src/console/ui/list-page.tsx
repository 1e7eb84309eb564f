import { type ReactNode, useState } from 'react';
import { useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { FragmentType, GraphQLTaggedNode, OperationType } from 'relay-runtime';
import { type Edges, nodesOf } from '../relay/nodes';
import { More } from './more';
import { type Column, Page } from './page';
import { PagedTable } from './paged-table';
import { Empty, NotFound } from './placeholder';

/** A query of an organization, which is null where it is hidden or absent. */
interface OrganizationQuery extends OperationType {
  readonly response: { readonly organization?: object | null | undefined };
}

/** Data of a fragment that holds a connection under this name. */
type ListData<Name extends string> = {
  readonly [Key in Name]?: { readonly edges?: Edges<unknown> } | null | undefined;
};

/** An item of the list. */
export type ItemOf<Data extends ListData<Name>, Name extends string> = Data[Name] extends infer Connection
  ? NonNullable<Connection> extends { readonly edges?: Edges<infer Item> }
    ? NonNullable<Item>
    : never
  : never;

/** A part of the page; a function where it depends on what the query read. */
type Part<Q extends OrganizationQuery> = ReactNode | ((read: Read<Q>) => ReactNode);

interface Read<Q extends OrganizationQuery> {
  organization: NonNullable<Q['response']['organization']>;
  response: Q['response'];
}

/** The button that opens a dialog that creates an item. */
interface Creation {
  text: string;
  dialog: (close: () => void) => ReactNode;
}

interface ListProps<Data extends ListData<Name>, Name extends string> {
  /** The refetchable fragment on the organization that holds the connection. */
  fragment: GraphQLTaggedNode;
  /** Name of the connection in the fragment. */
  connection: Name;
  /** Draws the items where they are no table. */
  children?: (items: ItemOf<Data, Name>[]) => ReactNode;
  /** Stands in the place of an empty list: a sentence or a placeholder. */
  empty: ReactNode;
}

interface ListPageProps<Q extends OrganizationQuery, Data extends ListData<Name>, Name extends string> extends Omit<
  ListProps<Data, Name>,
  'empty'
> {
  /** Stands in the place of an empty list: a sentence or a placeholder. */
  empty: Part<Q>;
  title: string;
  /** Reads the organization with the fragment, and what the other parts of the page need of it. */
  query: GraphQLTaggedNode;
  variables: Q['variables'];
  /** Of `useRefetchKey`, for a page that reads its list again. */
  fetchKey?: number;
  /** Columns of the table of the items; a function where they depend on what the query read. */
  columns?: Column<ItemOf<Data, Name>>[] | ((read: Read<Q>) => Column<ItemOf<Data, Name>>[]);
  /** Offered where it is not false: pages ask for `permissions`. */
  creation?: (read: Read<Q>) => Creation | false | null | undefined;
  actions?: Part<Q>;
  filters?: Part<Q>;
  before?: Part<Q>;
  after?: Part<Q>;
}

/**
 * The page of a list of an organization: reads its query, says where there is no such organization, and shows the
 * items with more of them as one scrolls. What is around every page (`Shell`) stands in while it loads and where it
 * fails. The type parameters are those that Relay makes of the query and the fragment, and the name of the
 * connection.
 */
export function ListPage<Q extends OrganizationQuery, Data extends ListData<Name>, Name extends string>({
  title,
  query,
  variables,
  fetchKey = 0,
  columns,
  creation,
  actions,
  filters,
  before,
  after,
  empty,
  ...list
}: ListPageProps<Q, Data, Name>) {
  const [isCreating, setCreating] = useState(false);
  const response = useLazyLoadQuery<Q>(query, variables, { fetchPolicy: 'store-and-network', fetchKey });
  const { organization } = response;
  if (!organization) return <NotFound />;
  const read: Read<Q> = { organization, response };
  const part = (each: Part<Q>) => (typeof each === 'function' ? each(read) : each);
  const offered = creation?.(read);
  return (
    <Page
      title={title}
      actions={
        <>
          {part(actions)}
          {offered && (
            <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
              {offered.text}
            </button>
          )}
        </>
      }
    >
      {part(filters)}
      {part(before)}
      <Items<Data, Name>
        label={title}
        organization={organization}
        columns={typeof columns === 'function' ? columns(read) : columns}
        empty={part(empty)}
        {...list}
      />
      {part(after)}
      {offered && isCreating && offered.dialog(() => setCreating(false))}
    </Page>
  );
}

function Items<Data extends ListData<Name>, Name extends string>({
  label,
  organization,
  fragment,
  connection,
  columns,
  children,
  empty,
}: ListProps<Data, Name> & {
  label: string;
  organization: object;
  columns: Column<ItemOf<Data, Name>>[] | undefined;
}) {
  // The query spreads the fragment; the types of both are those that the page names.
  const key = organization as { readonly ' $data'?: Data; readonly ' $fragmentSpreads': FragmentType };
  const { data, ...more } = usePaginationFragment<OperationType, typeof key>(fragment, key);
  const items = nodesOf(data[connection]) as (ItemOf<Data, Name> & { readonly id: string })[];
  if (columns)
    return (
      <PagedTable more={more} label={label} items={items} columns={columns} keyOf={({ id }) => id} empty={empty} />
    );
  if (items.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      {children?.(items)}
      <More {...more} />
    </>
  );
}
