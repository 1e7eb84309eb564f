import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = import.meta.dirname;
const artifacts = fileURLToPath(new URL('__generated__/', import.meta.url));

/** Replaces each graphql`…` by an import of what the Relay compiler made of it. */
const relayArtifacts = {
  name: 'relay-artifacts',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx?$/, code: 'graphql`' },
    handler(code) {
      const imports = new Map();
      const body = code.replace(/(?<![\w/])graphql`([^`]*)`/g, (_whole, document) => {
        const name = /\b(?:query|mutation|subscription|fragment)\s+(\w+)/.exec(document)?.[1];
        if (!name) throw new Error('a graphql document needs a name');
        imports.set(name, `import relay_${name} from ${JSON.stringify(`${artifacts}${name}.graphql.ts`)};`);
        // As many lines as before, so that positions in stack traces stay right.
        return `relay_${name}${document.replace(/[^\n]/g, '')}`;
      });
      return { code: `${[...imports.values()].join('')}${body}`, map: null };
    },
  },
};

/** `npm run console:dev`: the API of a running server, with a token from the environment instead of a session. */
function apiOf(server) {
  const token = process.env['SLIPWAY_TOKEN'];
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const paths = ['/graphql', '/v2', '/avatars', '/emojis', '/files', '/badge', '/login', '/logout'];
  return Object.fromEntries(
    paths.map((path) => [path, { target: server, changeOrigin: true, ws: path === '/graphql', headers }]),
  );
}

const proxy = apiOf(process.env['SLIPWAY_URL'] ?? 'http://127.0.0.1:3000');

export default defineConfig({
  root: here,
  base: '/',
  clearScreen: false,
  plugins: [relayArtifacts, react()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/console', import.meta.url)),
    emptyOutDir: true,
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // The polyfill is an inline script in some versions, and every supported browser preloads modules.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
    // What light-dark() of the tokens needs: all browsers of 2024 have it.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            {
              name: 'relay',
              test: /node_modules[\\/](react-relay|relay-runtime|fbjs|invariant|nullthrows|@babel[\\/]runtime|graphql-ws)[\\/]/,
            },
            { name: 'router', test: /node_modules[\\/]@tanstack[\\/](?!react-virtual|virtual)/ },
          ],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, host: '127.0.0.1', proxy },
  preview: { port: 5174, strictPort: true, host: '127.0.0.1', proxy },
});
