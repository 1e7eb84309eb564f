import { type ClassType, Field, FieldResolver, Int, InterfaceType, ObjectType, Resolver, Root } from 'type-graphql';
import type { Page } from '../../core/paging.js';
import { looseList, optional } from '../server/options.js';
import { PageInfo } from './page-info.js';

/** Value behind a connection: a page with its rows as edges. */
export interface ConnectionValue<Row> {
  edges: EdgeValue<Row>[];
  nodes: Row[];
  pageInfo: PageInfo;
  /** Counts the items of the whole list; called only when `count` is selected. */
  total(): Promise<number | null>;
}

export interface EdgeValue<Row> {
  cursor: string;
  node: Row;
}

// No field returns a bare `Connection`; clients use the interface in fragments.
@InterfaceType({ description: 'Page of a list.', resolveType: () => undefined })
export abstract class Connection {
  @Field(() => Int, { description: 'Number of items in the whole list, regardless of the page.' })
  count!: number;

  @Field(() => PageInfo, { ...optional, description: 'Position of the page in the list.' })
  pageInfo!: PageInfo | null;
}

@Resolver(() => Connection)
export class ConnectionResolver {
  @FieldResolver(() => Int)
  async count(@Root() connection: ConnectionValue<unknown>): Promise<number> {
    return (await connection.total()) ?? 0;
  }
}

/**
 * Declares the types `<name>Connection` and `<name>Edge`; `nodes` extends the public schema.
 * @param name prefix of both type names.
 * @param node type of the items: a class, also an abstract one for an interface, or a union.
 */
export function connectionOf(
  name: string,
  node: () => object,
  options: { nodeNullable?: boolean } = {},
): { Connection: ClassType; Edge: ClassType } {
  @ObjectType(`${name}Edge`, { description: 'Item of a list with its cursor.' })
  class ItemEdge {
    @Field(() => String, { description: 'Cursor of the item, for `after` and `before`.' })
    cursor!: string;

    @Field(() => node(), { nullable: options.nodeNullable ?? true, description: 'Item of the list.' })
    node!: unknown;
  }

  @ObjectType(`${name}Connection`, { implements: Connection, description: 'Page of a list.' })
  class ItemConnection {
    @Field(() => [ItemEdge], { ...looseList, description: 'Items of the page with their cursors.' })
    edges!: unknown[];

    @Field(() => [node()], { description: 'Items of the page, without cursors.' })
    nodes!: unknown[];
  }
  return { Connection: ItemConnection, Edge: ItemEdge };
}

/** Encodes the cursor only when `cursor` is read: most queries select none. */
class PageEdge<Row> implements EdgeValue<Row> {
  constructor(
    private readonly page: Page<Row>,
    readonly node: Row,
  ) {}

  get cursor(): string {
    return this.page.cursor(this.node);
  }
}

/**
 * A page of a list operation as the value of a connection; the empty connection for a hidden parent, which has no page.
 */
export function connectionValue<Row>(page: Page<Row> | null | undefined): ConnectionValue<Row> {
  if (!page) return connectionOfList<Row>([], {});
  const edges = page.rows.map((node) => new PageEdge(page, node));
  return {
    edges,
    nodes: page.rows,
    pageInfo: {
      hasNextPage: page.hasNext,
      hasPreviousPage: page.hasPrevious,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    total: () => page.count(true),
  };
}

/** The value of a connection for a list that is whole in memory; a cursor encodes the index of its item. */
export function connectionOfList<Row>(
  rows: readonly Row[],
  args: { first?: number | null; last?: number | null; after?: string | null; before?: string | null },
): ConnectionValue<Row> {
  const indexOf = (cursor: string | null | undefined, absent: number) => {
    const index = cursor ? Number(Buffer.from(cursor, 'base64url').toString('utf8')) : absent;
    return Number.isInteger(index) ? index : absent;
  };
  const from = indexOf(args.after, -1) + 1;
  const to = Math.max(from, Math.min(indexOf(args.before, rows.length), rows.length));
  const start = args.last != null && args.first == null ? Math.max(from, to - args.last) : from;
  const end = args.first != null ? Math.min(to, from + args.first) : to;
  const edges = rows
    .slice(start, end)
    .map((node, index) => ({ cursor: Buffer.from(String(start + index)).toString('base64url'), node }));
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      hasNextPage: end < rows.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    total: async () => rows.length,
  };
}
