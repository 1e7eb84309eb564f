/** What an annotation can look like (api-v2.md, Annotation); one without a style has no colour. */
export const annotationStyles = ['success', 'info', 'warning', 'error'] as const;
export type AnnotationStyle = (typeof annotationStyles)[number];

/** What an annotation is about: its build, or one job of it (rest-facts 2.4). */
export const annotationScopes = ['build', 'job'] as const;
export type AnnotationScope = (typeof annotationScopes)[number];

/** The context of an annotation that names none (rest-facts 2.4). */
export const defaultContext = 'default';

/** The part of an annotation that its writers decide. */
export interface AnnotationContent {
  style: AnnotationStyle | null;
  priority: number;
  body: string;
}

/** What a writer says; null is for what was not said. */
export interface AnnotationWords {
  style: AnnotationStyle | null;
  priority: number | null;
  /** Empty: only the looks are to change. */
  body: string;
  append: boolean;
}

/**
 * What an annotation holds after it was written to (api-v2.md, Annotations; rest-facts 2.4). Appending adds to the
 * body and keeps what was not said; words without a body change the looks alone; anything else replaces all of it.
 */
export function writeAnnotation(before: AnnotationContent | null, words: AnnotationWords, defaultPriority: number): AnnotationContent {
  const { style, priority, body, append } = words;
  if (before === null) return { style, priority: priority ?? defaultPriority, body };
  if (!append && body !== '') return { style, priority: priority ?? defaultPriority, body };
  return { style: style ?? before.style, priority: priority ?? before.priority, body: before.body + body };
}
