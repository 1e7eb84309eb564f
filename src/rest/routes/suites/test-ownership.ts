import { getTestOwnership } from '../../../operations/suites/test-ownership/get.js';
import { testOwnershipResource } from '../../present/suites/test-ownership.js';
import { type Route, route } from '../../route.js';
import { ofSuite } from '../addresses.js';

/** The file that says which tests belong to which teams; it is sent to `/v1/test-ownerships`. */
export const testOwnershipRoutes: Route[] = [
  route(getTestOwnership, {
    method: 'get',
    path: '/analytics/organizations/{org}/suites/{suite}/test-ownership',
    input: ofSuite,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'TestOwnership',
      present: (_context, { ownership }) => testOwnershipResource.present(ownership),
    },
  }),
];
