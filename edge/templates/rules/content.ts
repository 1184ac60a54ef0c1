/** Operation in a template. */
export interface TemplateOperation {
  operation_key: string
  params: Record<string, unknown>
}

/** Content of one version of a template. */
export interface TemplateContent {
  service_slug: string
  operations: readonly TemplateOperation[]
}

/** Params that belong to a job, not to a template. */
const JOB_PARAMS = ['file_url', 'url', 'filename', 'operations']

/** Returns the first of the params that a template cannot contain; undefined if there is none. */
export function findJobParam(params: Record<string, unknown>): string | undefined {
  return JOB_PARAMS.find((key) => key in params)
}

/**
 * Expands a template to the operation and params of a job: the first operation, with the others as its pipeline.
 * Contract: Templates, Template jobs.
 * @param overrides replace params of the first operation.
 */
export function expandTemplate(
  { service_slug, operations }: TemplateContent,
  overrides: Record<string, unknown> = {},
) {
  const [first, ...following] = operations
  if (first === undefined) throw new Error('a template has at least one operation')
  const { operation_key, params } = first
  const pipeline = following.length === 0 ? {} : { operations: following }
  return { service_slug, operation_key, params: { ...params, ...overrides, ...pipeline } }
}

/** Checks whether two contents are equivalent. The order of operations matters; the order of params does not. */
export function isSameContent(one: TemplateContent, other: TemplateContent): boolean {
  const { service_slug, operations } = one
  return (
    canonical({ service_slug, operations }) ===
    canonical({ service_slug: other.service_slug, operations: other.operations })
  )
}

/** Formats a value as JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (isRecord(part) ? sortKeys(part) : part))
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
