import { RouterProvider } from '@tanstack/react-router';
import { RelayEnvironmentProvider } from 'react-relay';
import { environment } from '../relay/environment';
import { router } from './router';

export function App() {
  return (
    <RelayEnvironmentProvider environment={environment}>
      <RouterProvider router={router} />
    </RelayEnvironmentProvider>
  );
}
