import type { EdgeValue } from './connection.js';

/** The edge of a new thing: its place in lists by creation, which is where clients put it. */
export function newEdge<Row extends { id: string }>(node: Row): EdgeValue<Row> {
  return { cursor: Buffer.from(JSON.stringify([node.id, node.id])).toString('base64url'), node };
}
