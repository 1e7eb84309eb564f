import { forbidden } from '../../domain/problem.js';
import type { SuiteSubject } from './find-suite.js';

/** Refuses with `forbidden` a change by somebody who may only read the suite. */
export function requireEditable({ editable }: Pick<SuiteSubject, 'editable'>): void {
  if (!editable) throw forbidden();
}
