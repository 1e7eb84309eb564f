/** Styles of an annotation; without one it has no color. */
export const annotationStyles = ['success', 'info', 'warning', 'error'] as const;
export type AnnotationStyle = (typeof annotationStyles)[number];

/** Parent of an annotation: its build, or one of the build's jobs. */
export const annotationScopes = ['build', 'job'] as const;
export type AnnotationScope = (typeof annotationScopes)[number];

/** The context of an annotation that names none. */
export const defaultContext = 'default';

/** The part of an annotation that its writers decide. */
export interface AnnotationContent {
  style: AnnotationStyle | null;
  priority: number;
  body: string;
}

/** Input of a write; null for absent fields. */
export interface AnnotationWords {
  style: AnnotationStyle | null;
  priority: number | null;
  /** Empty: only the looks are to change. */
  body: string;
  append: boolean;
}

/**
 * Returns an annotation after a write. Appending adds to the body and keeps absent fields. A write without a body
 * changes style and priority only. Any other write replaces everything.
 */
export function writeAnnotation(
  before: AnnotationContent | null,
  words: AnnotationWords,
  defaultPriority: number,
): AnnotationContent {
  const { style, priority, body, append } = words;
  if (before === null) return { style, priority: priority ?? defaultPriority, body };
  if (!append && body !== '') return { style, priority: priority ?? defaultPriority, body };
  return { style: style ?? before.style, priority: priority ?? before.priority, body: before.body + body };
}
