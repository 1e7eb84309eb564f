import type { EdgeValue } from './connection.js';

/** The edge of a new row; its cursor is that of lists ordered by creation, to which clients append the edge. */
export function newEdge<Row extends { id: string }>(node: Row): EdgeValue<Row> {
  return { cursor: Buffer.from(JSON.stringify([node.id, node.id])).toString('base64url'), node };
}
