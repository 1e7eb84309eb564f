import { flagOf, isObject, wholeNumber, type Attributes } from './attributes.js';
import type { Json, SoftFail } from '../step.js';

/** `soft_fail` of a step: false where it is absent. */
export function readSoftFail(attributes: Attributes): SoftFail {
  const value = attributes.value('soft_fail');
  if (value === undefined || value === null || value === '' || attributes.pending(value)) return false;
  const softFail = softFailOf(value);
  if (softFail === undefined) {
    attributes.problem('soft_fail', '"soft_fail" must be true, false, or a list of exit statuses (a number or "*").');
  }
  return softFail ?? false;
}

/** Normalises one `soft_fail` value; undefined where it has no meaning. */
export function softFailOf(value: Json): SoftFail | undefined {
  const flag = flagOf(value);
  if (flag !== undefined) return flag;
  const items = Array.isArray(value) ? value : [value];
  const statuses = items.flatMap((item) => {
    const status = isObject(item) ? item['exit_status'] : item;
    return (Array.isArray(status) ? status : [status ?? null]).map((status) =>
      status === '*' ? '*' : wholeNumber(status),
    );
  });
  if (statuses.includes(undefined)) return undefined;
  return statuses.map((exitStatus) => ({ exitStatus: exitStatus as '*' | number }));
}
