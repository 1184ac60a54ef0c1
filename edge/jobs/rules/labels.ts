/** A client's own data on a job or batch. The service stores and returns it and never reads it. */
export type Metadata = Record<string, string | number | boolean | null>

/** What a client attaches to its jobs and batches. Contract: Jobs, Tag and metadata. */
export interface Labels {
  tag: string | null
  metadata: Metadata
}

/** Labels as a request contains them. */
export interface GivenLabels {
  tag?: string | null | undefined
  metadata?: Metadata | undefined
}

/** Returns the labels of a request, or of a stored job that is submitted again. */
export function labelsOf({ tag, metadata }: GivenLabels): Labels {
  return { tag: tag ?? null, metadata: metadata ?? {} }
}
