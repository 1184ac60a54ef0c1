import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../edge/app.ts'
import { writeDocument } from '../../edge/documentation/document.ts'
import { exampleOf } from '../../edge/documentation/examples.ts'
import type { JsonSchema } from '../../edge/documentation/operation-schemas.ts'
import { TAGS } from '../../edge/http/tags.ts'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../edge/platform/errors/rules/table.ts'

type Schemas = Record<string, JsonSchema>
type Content = Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, Example> }>
interface Example {
  $ref?: string
  value?: unknown
}
interface Endpoint {
  tags: string[]
  summary?: string
  description?: string
  parameters?: { name: string; description?: string; schema: JsonSchema }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content; $ref?: string }>
}

const document = JSON.parse(writeDocument(createApp(), 'https://media.example.net'))
const schemas: Schemas = document.components.schemas
const endpoints = Object.entries<Record<string, Endpoint>>({
  ...document.paths,
  ...document.webhooks,
}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, endpoint]) => ({ name: `${method} ${path}`, ...endpoint })),
)

function contentOf({ content, $ref }: Endpoint['responses'][string]): Content {
  if ($ref === undefined) return content ?? {}
  return document.components.responses[$ref.split('/').at(-1) ?? ''].content
}

/** The contents of requests and of responses, with their places. */
const contents = endpoints.flatMap(({ name, requestBody, responses }) => [
  ...Object.entries(requestBody?.content ?? {}).map(([type, content]) => ({
    place: `${name} request ${type}`,
    content,
  })),
  ...Object.entries(responses).flatMap(([status, response]) =>
    Object.entries(contentOf(response))
      .filter(() => !status.startsWith('3'))
      .map(([type, content]) => ({ place: `${name} ${status} ${type}`, content })),
  ),
])

interface Property {
  place: string
  schema: JsonSchema
}

/** Lists the properties of a schema and of the schemas inside it. */
function propertiesIn(schema: unknown, place: string): Property[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    properties = {},
    items,
    additionalProperties,
    allOf,
    anyOf,
    oneOf,
  } = schema as Record<string, never>
  const own = Object.entries<JsonSchema>(properties).map(([name, property]) => ({
    place: `${place}.${name}`,
    schema: property,
  }))
  const inner = [allOf, anyOf, oneOf].flatMap((parts: JsonSchema[] = []) =>
    parts.flatMap((part) => propertiesIn(part, place)),
  )
  return [
    ...own,
    ...own.flatMap((property) => propertiesIn(property.schema, property.place)),
    ...inner,
    ...propertiesIn(items, `${place}[]`),
    ...propertiesIn(additionalProperties, `${place}{}`),
  ]
}

const properties = [
  ...Object.entries(schemas).flatMap(([name, schema]) => propertiesIn(schema, name)),
  ...contents.flatMap(({ place, content }) => propertiesIn(content.schema, place)),
]

function isDescribed({ description, $ref, allOf }: JsonSchema): boolean {
  const own = typeof description === 'string' && description.length > 1
  return own || typeof $ref === 'string' || (Array.isArray(allOf) && allOf.some(isDescribed))
}

describe('every description is there', () => {
  test('of properties', () => {
    expect(properties.filter(({ schema }) => !isDescribed(schema)).map(({ place }) => place)).toEqual([])
    expect(properties.length).toBeGreaterThan(1000)
  })

  test('of parameters', () => {
    const undescribed = endpoints.flatMap(({ name, parameters = [] }) =>
      parameters
        .filter(({ description, schema }) => description === undefined && !isDescribed(schema))
        .map((parameter) => `${name} ${parameter.name}`),
    )
    expect(undescribed).toEqual([])
  })

  test('of tags and endpoints', () => {
    expect(document.tags).toEqual(Object.entries(TAGS).map(([name, description]) => ({ name, description })))
    const used = new Set(endpoints.flatMap(({ tags }) => tags))
    expect([...used].sort()).toEqual(Object.keys(TAGS).sort())
    expect(endpoints.filter(({ summary, description }) => !summary || !description)).toEqual([])
  })
})

/** The parameters of operations have no examples of their own: their presets are examples of all of them together. */
const isParameter = ({ place }: Property) => /Params\b|Job\.params|Tool\.params|ToolById|Stage\b/.test(place)

describe('every example is there and valid', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const local = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api:/document#/'))
  ajv.addSchema({ $id: 'api:/document', components: { schemas: local(schemas) } })

  const examplesOf = ({ example, examples = {} }: Content[string]): unknown[] =>
    example === undefined
      ? Object.values(examples).map(({ $ref, value }) =>
          $ref === undefined ? value : document.components.examples[$ref.split('/').at(-1) ?? ''].value,
        )
      : [example]

  test('of properties', () => {
    const without = properties.filter(
      (property) => !isParameter(property) && exampleOf(property.schema, schemas) === undefined,
    )
    expect(without.map(({ place }) => place)).toEqual([])
  })

  test('of requests and responses', () => {
    // Files cannot be shown as examples.
    const shown = contents.filter(({ place }) => !place.endsWith(' application/octet-stream'))
    expect(shown.filter(({ content }) => examplesOf(content).length === 0)).toEqual([])
    const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
    const invalid = shown.flatMap(({ place, content }) => {
      const key = JSON.stringify(content.schema)
      const validate = compiled.get(key) ?? ajv.compile(local(content.schema))
      compiled.set(key, validate)
      return examplesOf(content).flatMap((example) =>
        validate(example) ? [] : [{ place, example, errors: validate.errors }],
      )
    })
    expect(invalid).toEqual([])
  }, 60_000)
})

test('the example of each event shows work in the state that it reports', () => {
  for (const [type, { post }] of Object.entries<Record<string, Endpoint>>(document.webhooks)) {
    const example = post?.requestBody?.content['application/json']?.example
    const [, status = 'done'] = type.split('.')
    expect(example, type).toMatchObject({ data: { status } })
  }
})

describe('errors', () => {
  /** Codes that no endpoint of the document returns by itself: other addresses, defects and reports of the fleet. */
  const OUTSIDE = [
    'not_found',
    'internal_error',
    'settings_invalid',
    'invalid_report',
    'report_id_reused',
    'report_too_late',
  ]

  const documented = contents.flatMap(({ place, content }) => {
    const [, status = ''] = / ([45]\d\d) application\/json$/.exec(place) ?? []
    const { examples = {} } = status === '' ? {} : content
    return Object.entries(examples).map(([code, { $ref, value }]) => ({
      place,
      status: Number(status),
      code,
      body: ($ref === undefined
        ? value
        : document.components.examples[$ref.split('/').at(-1) ?? ''].value) as {
        code: string
        detail: unknown
        doc_url: string
        param?: string
      },
    }))
  })

  test('have an example of each code, under the status of the code', () => {
    for (const { place, status, code, body } of documented) {
      expect([body.code, ERRORS[code as ErrorCode].status], place).toEqual([code, status])
      expect(body.doc_url, place).toMatch(new RegExp(`/docs/errors#${code}$`))
    }
    const errors = contents.filter(({ place }) => / [45]\d\d application\/json$/.test(place))
    const without = errors.filter(({ content }) => Object.keys(content.examples ?? {}).length === 0)
    // Readiness describes the dependencies that are down instead of an error.
    expect(without.map(({ place }) => place)).toEqual(['get /api/ready 503 application/json'])
  })

  test('are documented by at least one endpoint for each code', () => {
    const codes = new Set(documented.map(({ code }) => code))
    expect(ERROR_CODES.filter((code) => !codes.has(code)).toSorted()).toEqual(OUTSIDE.toSorted())
  })

  test('of input name a field of the endpoint', () => {
    const of = (name: string) =>
      documented.find(({ place, code }) => place.startsWith(`${name} `) && code === 'validation_failed')
    expect(of('post /api/v1/jobs/api')?.body).toMatchObject({
      param: 'service_slug',
      detail: [{ loc: ['body', 'service_slug'] }],
    })
    expect(of('post /api/v1/auth/register')?.body).toMatchObject({ param: 'email' })
    expect(of('get /api/v1/jobs')?.body).toMatchObject({ detail: [{ type: 'unknown_field' }] })
  })
})

test('each type of webhook event has a schema of its own', () => {
  const types = Object.entries<Record<string, Endpoint>>(document.webhooks).map(([type, { post }]) => {
    const { $ref } = post?.requestBody?.content['application/json']?.schema ?? {}
    const { properties: fields } = schemas[String($ref).split('/').at(-1) ?? ''] as { properties: Schemas }
    return [type, exampleOf(fields.type ?? {}, schemas)]
  })
  expect(types.length).toBeGreaterThan(2)
  for (const [type, named] of types) expect(named).toBe(type)
})
