#!/usr/bin/env -S node --max-semi-space-size=8
import { createProgram } from './commands/program.js';
import { runProgram } from './commands/run-program.js';

process.exitCode = await runProgram(createProgram(), process.argv);
