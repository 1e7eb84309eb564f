import { newestCursor } from '../../core/paging.js';
import type { EdgeValue } from './connection.js';

/** The edge of a new row; its cursor is that of lists ordered by creation, to which clients append the edge. */
export function newEdge<Row extends { id: string }>(node: Row): EdgeValue<Row> {
  return { cursor: newestCursor(node.id), node };
}
