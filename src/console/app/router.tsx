import { createRootRoute, createRouter } from '@tanstack/react-router';
import { Shell } from '../layout/shell';
import { NotFound } from '../ui/placeholder';
import { pageRoutes } from './routes';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

export const router = createRouter({
  routeTree: root.addChildren(pageRoutes(root)),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
