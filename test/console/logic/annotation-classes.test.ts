import { describe, expect, test } from 'vitest';
import { annotationStyles, fromWidth } from '../../../src/console/pages/build/side/annotation-classes';
import { annotationClasses } from '../../../src/domain/builds/annotations/allow-list.js';

const allowed = annotationClasses.filter((each) => typeof each === 'string');
const styled = [...Object.keys(annotationStyles), ...Object.values(fromWidth).flatMap((styles) => Object.keys(styles))];

describe('the classes of annotations', () => {
  test('that the sanitizer allows have a style', () => {
    expect(allowed.filter((name) => !styled.includes(name))).toEqual([]);
  });

  test('that have a style are those that the sanitizer allows', () => {
    const isAllowed = (name: string) =>
      annotationClasses.some((each) => (typeof each === 'string' ? each === name : each.test(name)));
    expect(styled.filter((name) => !isAllowed(name))).toEqual([]);
  });
});
