import { z } from 'zod'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const Operation = z.looseObject({
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().default(false) }))
    .default([]),
  requestBody: z.looseObject({}).optional(),
  responses: z.record(z.string(), z.looseObject({})),
})
type Operation = z.infer<typeof Operation>

const Document = z.looseObject({
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), Operation)),
})

/** The required credentials, taken from the document's `security` field. */
export type DocumentedAccess = 'none' | 'session' | 'admin' | 'either' | 'anyone'

export interface Endpoint {
  /** For example, `POST /api/v1/jobs/{job_id}/cancel`. */
  name: string
  method: string
  path: string
  access: DocumentedAccess
  /** Is true if a request without a valid body or a required query parameter gets a 422 response. */
  needsInput: boolean
  statuses: number[]
}

/** Fetches the system's OpenAPI document as text. */
export async function fetchDocument(api_url: string): Promise<string> {
  const response = await fetch(`${api_url}/openapi.json`)
  if (!response.ok) throw new Error(`Fetching the document failed with ${response.status}.`)
  return response.text()
}

export function listEndpoints(document: string): Endpoint[] {
  const { paths } = Document.parse(JSON.parse(document))
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method]
      return operation === undefined ? [] : [describeEndpoint(method.toUpperCase(), path, operation)]
    }),
  )
}

function describeEndpoint(method: string, path: string, operation: Operation): Endpoint {
  const { security, parameters, requestBody, responses } = operation
  return {
    name: `${method} ${path}`,
    method,
    path,
    access: accessOf(security),
    needsInput: requestBody !== undefined || parameters.some((each) => each.in === 'query' && each.required),
    statuses: Object.keys(responses).map(Number),
  }
}

/** @throws if the combination is one that no endpoint should have */
function accessOf(security: Operation['security']): DocumentedAccess {
  const schemes = security.map((choice) => Object.keys(choice).join('+') || 'nobody')
  const roles = security.flatMap((choice) => Object.values(choice).flat())
  const combination = [...schemes, ...roles].join(' ')
  const access = ACCESSES[combination]
  if (access === undefined) throw new Error(`Unexpected security requirement: ${combination}`)
  return access
}

const ACCESSES: Record<string, DocumentedAccess | undefined> = {
  '': 'none',
  session: 'session',
  administrator: 'admin',
  'session key keyAsBearer': 'either',
  'nobody session key keyAsBearer': 'anyone',
}
