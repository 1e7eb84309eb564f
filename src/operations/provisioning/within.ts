/** Where the entries of an organization belong. */
export interface Within {
  organizationId: string;
  /** Its slug, the first word of their names. */
  slug: string;
  path: string;
}
