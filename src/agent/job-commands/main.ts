#!/usr/bin/env node
import { packageVersion } from '../../package/version.js';
import { processIo } from './command-io.js';
import { runJobCommand } from './program.js';

process.exitCode = await runJobCommand(process.argv.slice(2), processIo(packageVersion()));
