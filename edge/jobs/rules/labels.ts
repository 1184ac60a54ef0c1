/** A client's own data on a job or batch. The service stores and returns the data, and never reads it. */
export type Metadata = Record<string, string | number | boolean | null>

/** Version of the saved template of a job or batch. */
export interface TemplateReference {
  name: string
  version: number
}

/**
 * Data that stays with a job or batch unchanged: the client's own tag and metadata, and the template. Contract: Jobs,
 * Tag and metadata; Templates, Template jobs.
 */
export interface Labels {
  tag: string | null
  metadata: Metadata
  template: TemplateReference | null
}

/** Labels of a submission. Requests contain only the tag and the metadata. */
export interface GivenLabels {
  tag?: string | null | undefined
  metadata?: Metadata | undefined
  template?: TemplateReference | null | undefined
}

/** Returns the labels of a request, or of a stored job that is submitted again. */
export function labelsOf({ tag, metadata, template }: GivenLabels): Labels {
  return { tag: tag ?? null, metadata: metadata ?? {}, template: template ?? null }
}
