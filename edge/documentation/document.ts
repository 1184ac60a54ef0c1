import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../http/context.ts'
import { TAGS } from '../http/tags.ts'
import { errorExamples } from '../platform/errors/example.ts'
import { mapValues } from '../platform/map-values.ts'
import { WEBHOOKS, WebhookEvent } from '../webhooks/event-schemas.ts'
import { addExamples, type Content, type ExampleTarget, operationExamples } from './add-examples.ts'
import { exampleOfEvent } from './event-examples.ts'
import { describeLimits } from './limits.ts'
import type { JsonSchema } from './operation-schemas.ts'
import { optionalDefaults } from './optional-defaults.ts'
import { shareResponses } from './shared-responses.ts'
import { typeResults } from './typed-results.ts'
import { typeSubmissions } from './typed-submissions.ts'

export const DOCUMENT_PATH = '/openapi.json'

const SCHEMES = {
  session: { type: 'http', scheme: 'bearer', description: 'The `access_token` that a sign-in returns' },
  administrator: {
    type: 'http',
    scheme: 'bearer',
    description: "The `access_token` that an administrator's sign-in returns",
  },
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key' },
  keyAsBearer: { type: 'http', scheme: 'bearer', description: 'An API key, sent as a bearer token' },
} as const

const HEADERS = {
  'X-Request-Id': {
    description: 'Id of the request; include it in support requests',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Remaining requests (`r`) of each limit, and seconds until it resets (`t`): `"minute";r=59;t=42`',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'Limits of this caller: requests (`q`) per window of seconds (`w`), as in `"minute";q=60;w=60`',
    schema: { type: 'string' },
  },
  Link: {
    description:
      'URLs of the first page (`rel="first"`) and, unless the list ends here, of the next page (`rel="next"`)',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description:
      'Required authentication scheme; `invalid_token` if an API key was sent where a session is required',
    schema: { type: 'string' },
  },
  'Content-Language': {
    description: 'Language of the texts in the response: `en`, `uk` or `ru`',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Version of the response; send it as If-None-Match to get 304 while nothing has changed',
    schema: { type: 'string' },
  },
  Allow: {
    description: 'Methods that the path accepts',
    schema: { type: 'string', example: 'GET, HEAD, POST' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt', schema: { type: 'integer' } },
} as const

/** Adds the endpoint that serves the OpenAPI document. Contract: Versioning. */
export function describeApi(app: OpenAPIHono<AppEnv>): void {
  for (const [name, scheme] of Object.entries(SCHEMES)) {
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const [name, header] of Object.entries(HEADERS)) {
    app.openAPIRegistry.registerComponent('headers', name, header)
  }
  for (const webhook of WEBHOOKS) app.openAPIRegistry.registerWebhook(webhook)
  app.openAPIRegistry.register('WebhookEvent', WebhookEvent)
  // Cached per public URL, because generating the document takes longer than most requests.
  const written = new Map<string, string>()
  app.get(DOCUMENT_PATH, (context) => {
    const { PUBLIC_URL } = context.get('deps').env
    const text = written.get(PUBLIC_URL) ?? writeDocument(app, PUBLIC_URL)
    written.set(PUBLIC_URL, text)
    return context.body(text, 200, { 'Content-Type': 'application/json' })
  })
}

/** Renders the OpenAPI document of an app. */
export function writeDocument(app: OpenAPIHono<AppEnv>, url: string): string {
  const document = app.getOpenAPI31Document(aboutService(url))
  const described = (document.components?.schemas ?? {}) as Record<string, JsonSchema>
  const schemas = mapValues(typeSubmissions(typeResults(described)), optionalDefaults)
  const describe = (operation: Operation) => addExamples(operation, schemas)
  const describeEndpoint = (operation: Operation) => describe(describeLanguages(operation))
  const eachOf = (change: (operation: Operation) => Operation) => (methods: object) =>
    mapValues(methods as Record<string, Operation>, change)
  const { paths, responses } = shareResponses(mapValues(document.paths ?? {}, eachOf(describeEndpoint)))
  const webhooks = mapValues((document.webhooks ?? {}) as Record<string, object>, (methods, type) =>
    eachOf((operation) => describeEvent(describe(operation), type))(methods),
  )
  const referenced = JSON.stringify([paths, responses])
  const examples = {
    ...operationExamples(),
    ...errorExamples((reference) => referenced.includes(`"${reference}"`)),
  }
  const components = { ...document.components, schemas, responses, examples }
  return JSON.stringify({ ...document, paths, webhooks, components })
}

const aboutService = (url: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Media Credits',
    version: '0.1.0',
    contact: { url },
    license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    description: `Processes videos, images and public video links. Jobs are paid from one balance of credits, by processing time.\n\n${describeLimits()}`,
  },
  servers: [{ url }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
})

interface Operation extends ExampleTarget {
  parameters?: object[]
  responses: Record<string, { description: string; headers?: object; content?: Content }>
}

const ACCEPT_LANGUAGE = {
  name: 'accept-language',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'Language of texts for users, such as those of errors: English (`en`, the default), Ukrainian (`uk`) or Russian (`ru`)',
  example: 'uk, en;q=0.5',
}

/** Documents the header that selects the language of errors. Contract: Errors, Languages. */
function describeLanguages(operation: Operation): Operation {
  const hasErrors = Object.keys(operation.responses).some((status) => /^[45]/.test(status))
  if (!hasErrors) return operation
  return { ...operation, parameters: [...(operation.parameters ?? []), ACCEPT_LANGUAGE] }
}

/** Gives each webhook an example of what its event reports. */
function describeEvent(operation: Operation, type: string): Operation {
  const { requestBody } = operation
  if (requestBody === undefined) return operation
  const content = mapValues(requestBody.content, (one) => ({
    ...one,
    example: exampleOfEvent(type, one.example),
  }))
  return { ...operation, requestBody: { ...requestBody, content } }
}
