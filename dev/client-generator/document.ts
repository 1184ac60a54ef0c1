import { createApp } from '../../edge/app.ts'
import { writeDocument } from '../../edge/documentation/document.ts'

/** A JSON Schema (draft 2020-12) of the OpenAPI document. */
export type Schema = { [keyword: string]: unknown }

export interface Endpoint {
  /** For example, `jobs.list`. */
  operationId: string
  method: string
  path: string
  summary: string
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody: { content: Record<string, { schema: Schema }> } | undefined
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

export interface ApiDocument {
  endpoints: Endpoint[]
  schemas: Record<string, Schema>
}

/** Reads the endpoints and schemas of the app's own OpenAPI document, without a running system. */
export function readDocument(): ApiDocument {
  const document = JSON.parse(writeDocument(createApp(), 'http://127.0.0.1:8787'))
  const endpoints = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], ...operation }]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters,
    })),
  )
  return { endpoints, schemas: document.components.schemas }
}

const REFERENCE = '#/components/schemas/'

/** Returns the name of a referenced schema, or null for a schema that is not a reference. */
export function referencedName({ $ref }: Schema): string | null {
  return typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : null
}

export function reference(name: string): Schema {
  return { $ref: `${REFERENCE}${name}` }
}

/** Returns the type name of an endpoint or operation: "jobs.submitFile" and "jobs_submit_file" are "JobsSubmitFile". */
export function typeName(name: string): string {
  return name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
