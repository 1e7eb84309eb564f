import { register } from 'node:module';

/** `node --import` of this file lets a command of the tests be TypeScript, compiled as the test runner compiles it. */
register('./hooks.js', import.meta.url);
