import type { OpenAPIHono } from '@hono/zod-openapi'
import { JOB_WEBHOOK } from '../contract/webhook.ts'
import type { AppEnv } from './context.ts'

export const DOCUMENT_PATH = '/openapi.json'

const SCHEMES = {
  session: { type: 'http', scheme: 'bearer', description: 'The access_token of a sign-in' },
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key' },
  keyAsBearer: { type: 'http', scheme: 'bearer', description: 'An API key, as a bearer token' },
} as const

const HEADERS = {
  'X-Request-Id': { description: 'Names this request; quote it to support', schema: { type: 'string' } },
  RateLimit: {
    description: 'What is left of each limit, and the seconds until it is whole again: `"minute";r=59;t=42`',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limits that count this caller: `"minute";q=60;w=60`',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds until there is room again', schema: { type: 'integer' } },
} as const

/** The machine-readable description. Specification: Versioning, 2. */
export function describeApi(app: OpenAPIHono<AppEnv>): void {
  for (const [name, scheme] of Object.entries(SCHEMES)) {
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const [name, header] of Object.entries(HEADERS)) {
    app.openAPIRegistry.registerComponent('headers', name, header)
  }
  app.openAPIRegistry.registerWebhook(JOB_WEBHOOK)
  app.doc31(DOCUMENT_PATH, ({ env }) => ({
    openapi: '3.1.0',
    info: {
      title: 'the service',
      version: '0.1.0',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
      description: 'Video and image jobs, paid from one balance of credits by the minutes they took.',
    },
    servers: [{ url: (env as { PUBLIC_URL: string }).PUBLIC_URL }],
  }))
}
