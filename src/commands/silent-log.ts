import type { Logger } from '../services/services.js';

const ignore = () => undefined;

/** The log of commands, which say themselves what happens. */
export const silentLog: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
