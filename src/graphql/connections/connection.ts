import { type ClassType, Field, FieldResolver, Int, InterfaceType, ObjectType, Resolver, Root } from 'type-graphql';
import type { Page } from '../../operations/paging.js';
import { looseList, optional } from '../options.js';
import { PageInfo } from './page-info.js';

/** What the resolvers of a connection get: a page with its rows as edges. */
export interface ConnectionValue<Row> {
  edges: EdgeValue<Row>[];
  nodes: Row[];
  pageInfo: PageInfo;
  /** Items in the whole list; asked only where it is selected. */
  total(): Promise<number | null>;
}

export interface EdgeValue<Row> {
  cursor: string;
  node: Row;
}

// Nothing is given out as a bare `Connection`; the interface is there for fragments.
@InterfaceType({ description: 'A list in pages.', resolveType: () => undefined })
export abstract class Connection {
  @Field(() => Int, { description: 'Items in the whole list, whatever the page.' })
  count!: number;

  @Field(() => PageInfo, optional)
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
 * Declares `XConnection` and `XEdge`, spelled as on the wire, with our `nodes` beside `edges`.
 * @param name what stands before `Connection`.
 * @param node the type of the items.
 */
export function connectionOf(name: string, node: () => ClassType, options: { nodeNullable?: boolean } = {}): { Connection: ClassType; Edge: ClassType } {
  @ObjectType(`${name}Edge`, { description: 'An item of a list with its place in it.' })
  class ItemEdge {
    @Field(() => String, { description: 'The place in the list, for `after` and `before`.' })
    cursor!: string;

    @Field(() => node(), { nullable: options.nodeNullable ?? true })
    node!: unknown;
  }

  @ObjectType(`${name}Connection`, { implements: Connection, description: 'A page of a list.' })
  class ItemConnection {
    @Field(() => [ItemEdge], looseList)
    edges!: unknown[];

    @Field(() => [node()], { description: 'The items themselves, where their cursors are not needed.' })
    nodes!: unknown[];
  }
  return { Connection: ItemConnection, Edge: ItemEdge };
}

/** A page of a list operation as the value of a connection; of a parent that is hidden there is none, and nothing in it. */
export function connectionValue<Row>(page: Page<Row> | undefined): ConnectionValue<Row> {
  if (!page) return connectionOfList<Row>([], {});
  const edges = page.rows.map((node) => ({ cursor: page.cursor(node), node }));
  return {
    edges,
    nodes: page.rows,
    pageInfo: { hasNextPage: page.hasNext, hasPreviousPage: page.hasPrevious, startCursor: edges[0]?.cursor ?? null, endCursor: edges.at(-1)?.cursor ?? null },
    total: () => page.count(true),
  };
}

/** The cursor of a thing in a list that is ordered by creation, as mutations give it out with what they made. */
export const edgeCursor = (id: string) => Buffer.from(JSON.stringify([id, id])).toString('base64url');

/** The same for a list that is in memory as a whole; a cursor is the place in it. */
export function connectionOfList<Row>(rows: readonly Row[], asked: { first?: number | null; last?: number | null; after?: string | null; before?: string | null }): ConnectionValue<Row> {
  const place = (cursor: string | null | undefined, absent: number) => {
    const found = cursor ? Number(Buffer.from(cursor, 'base64url').toString('utf8')) : absent;
    return Number.isInteger(found) ? found : absent;
  };
  const from = place(asked.after, -1) + 1;
  const to = Math.max(from, Math.min(place(asked.before, rows.length), rows.length));
  const start = asked.last != null && asked.first == null ? Math.max(from, to - asked.last) : from;
  const end = asked.first != null ? Math.min(to, from + asked.first) : to;
  const edges = rows.slice(start, end).map((node, index) => ({ cursor: Buffer.from(String(start + index)).toString('base64url'), node }));
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: { hasNextPage: end < rows.length, hasPreviousPage: start > 0, startCursor: edges[0]?.cursor ?? null, endCursor: edges.at(-1)?.cursor ?? null },
    total: async () => rows.length,
  };
}
