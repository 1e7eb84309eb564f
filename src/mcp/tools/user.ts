import { eachOf, pick, routeTool, type Tool } from '../tool.js';

export const userTools: Tool[] = [
  routeTool({
    name: 'current_user',
    toolset: 'user',
    title: 'Who am I',
    description: 'Returns the user whose token this is.',
    input: {},
    method: 'get',
    path: '/user',
  }),
  routeTool({
    name: 'access_token',
    toolset: 'user',
    title: 'This token',
    description: 'Returns the scopes of the token: what its holder may do.',
    input: {},
    method: 'get',
    path: '/access-token',
  }),
  routeTool({
    name: 'user_token_organization',
    toolset: 'user',
    title: 'Organizations',
    description: 'Lists the organizations that the token reaches; other tools take the slug as org_slug.',
    input: {},
    method: 'get',
    path: '/organizations',
    shape: eachOf((each) => pick(each, ['id', 'slug', 'name', 'web_url'])),
  }),
];
