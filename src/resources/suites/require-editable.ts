import { forbidden } from '../../domain/problem.js';
import type { SuiteSubject } from '../../core/find-suite.js';

/** Throws `forbidden` where the caller may only read the suite. */
export function requireEditable({ editable }: Pick<SuiteSubject, 'editable'>): void {
  if (!editable) throw forbidden();
}
