import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { PlannedRequest } from './build.ts'
import type { Schema } from './document.ts'

export interface Answer {
  status: number
  headers: Headers
  /** null for a stream, which is not read to the end. */
  text: string | null
}

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Validates responses against the document. Even an undocumented field is a failure. */
export class Checker {
  readonly #ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    formats: {
      'date-time': (text: string) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
      date: /^\d{4}-\d\d-\d\d$/,
      uri: (text: string) => URL.canParse(text),
      email: true,
      binary: true,
    },
  })
  readonly #compiled = new Map<Schema, ValidateFunction>()

  /** @returns a message for each way in which the response deviates from the document */
  findFaults({ operation: { responses }, kind }: PlannedRequest, answer: Answer): string[] {
    const { status, headers, text } = answer
    const id = headers.get('x-request-id') ?? ''
    const faults = REQUEST_ID.test(id) ? [] : ['X-Request-Id is missing']
    if (kind === 'valid' && status === 422) faults.push(...findContradictions(text ?? ''))
    if (status >= 500 && !isMaintenance(answer)) faults.push(`${status} is a server error`)
    if (status === 429 && !(Number(headers.get('retry-after')) >= 1)) faults.push('429 without Retry-After')
    const contents = responses[String(status)]
    if (contents === undefined) return [...faults, `status ${status} is not documented`]
    return [...faults, ...this.#findFaultsOfContent(contents, answer, id)]
  }

  #findFaultsOfContent(contents: Record<string, Schema>, { headers, text }: Answer, id: string): string[] {
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const types = Object.keys(contents)
    if (types.length === 0) return text === '' ? [] : ['the body is not documented']
    // A file is documented as application/octet-stream but is sent with its actual content type.
    if (types.includes('application/octet-stream') || type === 'text/event-stream') return []
    const schema = contents[type]
    if (schema === undefined) return [`content type ${type || '(none)'} instead of ${types.join(', ')}`]
    return this.#findFaultsOfBody(schema, text ?? '', id)
  }

  #findFaultsOfBody(schema: Schema, text: string, id: string): string[] {
    const body = parse(text)
    if (body === undefined) return ['the body is not JSON']
    const validate = this.#compile(schema)
    if (!validate(body)) {
      return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
        return `the body${instancePath} ${message} ${JSON.stringify(params)}`
      })
    }
    const requestId = (body as { request_id?: unknown } | null)?.request_id
    return requestId === undefined || requestId === id || !('properties' in schema) || !isError(schema)
      ? []
      : ['request_id differs from X-Request-Id']
  }

  #compile(schema: Schema): ValidateFunction {
    const known = this.#compiled.get(schema)
    if (known !== undefined) return known
    const validate = this.#ajv.compile(close(schema))
    this.#compiled.set(schema, validate)
    return validate
  }
}

/** Errors that follow from the schema alone. Other errors depend on several fields or on the system's state. */
const SCHEMA_ERRORS = [
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_small',
  'too_big',
  'unrecognized_keys',
]

/**
 * Finds validation errors for input that the document allows, which means that the response contradicts the
 * document.
 */
function findContradictions(text: string): string[] {
  const { detail } = (parse(text) ?? {}) as { detail?: { loc?: unknown[]; msg?: string; type?: string }[] }
  const faults = Array.isArray(detail) ? detail : []
  return faults
    .filter(({ type = '' }) => SCHEMA_ERRORS.includes(type))
    .map(({ loc, msg }) => `the document allows ${loc?.join('.')}, but the response says: ${msg}`)
}

function isError({ properties = {} }: Schema): boolean {
  return 'detail' in properties && 'code' in properties && 'request_id' in properties
}

/** A maintenance response is a documented 503, not a failure. */
function isMaintenance({ status, text }: Answer): boolean {
  const body = parse(text ?? '') as { code?: string } | undefined
  return status === 503 && body?.code === 'maintenance'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Forbids undocumented fields in every object, unless the schema explicitly allows them.
 * @param isPart true for a part of an object, whose other parts document further fields
 */
function close(schema: Schema, isPart = false): Schema {
  const { properties, items, anyOf, oneOf, allOf, additionalProperties } = schema
  const closed = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, close(each)])),
    }),
    ...(items && { items: close(items) }),
    ...(anyOf && { anyOf: anyOf.map((each) => close(each, isPart)) }),
    ...(oneOf && { oneOf: oneOf.map((each) => close(each, isPart)) }),
    ...(allOf && { allOf: allOf.map((each) => close(each, true)) }),
  }
  const isObject = properties !== undefined || allOf !== undefined
  return isObject && !isPart && additionalProperties === undefined
    ? Object.assign(closed, { unevaluatedProperties: false })
    : closed
}
