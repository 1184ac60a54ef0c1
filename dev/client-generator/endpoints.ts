import { type ApiDocument, type Endpoint, referencedName, type Schema, typeName } from './document.ts'
import type { NamedSchema } from './types.ts'

/**
 * Endpoints that the client omits: administration, events of other services, requests of the service's own pages, and
 * endpoints that differ from another one only in the credential.
 */
const LEFT_OUT = [
  /^(admin|analytics|feedback|renewals|withdrawals)\./,
  /WithSession$/,
  /^(messenger\.receiveUpdate|orders\.receiveProviderEvent|jobs\.streamEvents)$/,
]

/** Groups whose read-only endpoints form the `billing` group of the client. */
const BILLING = ['credits', 'offers', 'orders', 'refunds', 'subscription']

/** POST endpoints that are idempotent without an Idempotency-Key. */
const REPEATABLE = ['jobs.quote', 'uploads.signPart', 'uploads.completeMultipart', 'uploads.abortMultipart']

interface Method {
  group: string
  name: string
  endpoint: Endpoint
}

/**
 * Writes the table of endpoints that the client calls and the type of the methods that call them. A row of the table
 * is `METHOD flags path`. Flags: b JSON body, f form, i Idempotency-Key, p paged list, q query, r raw response,
 * s safe to repeat.
 */
export function endpointsFile(document: ApiDocument): { text: string; schemas: NamedSchema[] } {
  const methods = document.endpoints.flatMap(methodOf)
  const groups = Map.groupBy(methods, ({ group }) => group)
  const schemas: NamedSchema[] = []
  const declare = (name: string, schema: Schema): string => {
    schemas.push([name, schema])
    return name
  }
  const types = [...groups].map(([group, members]) => {
    const lines = members.map((method) => `    ${signature(method, declare)}`)
    return `  ${group}: {\n${lines.join('\n')}\n  }`
  })
  const rows = [...groups].map(([group, members]) => {
    const lines = members.map(({ name, endpoint }) => `    ${name}: '${row(endpoint)}',`)
    return `  ${group}: {\n${lines.join('\n')}\n  },`
  })
  const names = [...new Set([...schemas.map(([name]) => name), ...referencedBy(methods)])].sort()
  const text = [
    '// Generated from the OpenAPI document.',
    "import type { Page } from '../src/page.ts'",
    "import type { CallOptions } from '../src/options.ts'",
    `import type { ${names.join(', ')} } from './types.ts'`,
    '',
    '/** The endpoints that the client calls, by group. */',
    `export interface Endpoints {\n${types.join('\n')}\n}`,
    '',
    `export const ENDPOINTS = {\n${rows.join('\n')}\n} as const`,
    '',
  ].join('\n')
  return {
    text,
    schemas: [
      ...schemas,
      ...referencedBy(methods).map((name) => [name, document.schemas[name] ?? {}] as const),
    ],
  }
}

function methodOf(endpoint: Endpoint): Method[] {
  const { operationId, method } = endpoint
  const [group = '', name = ''] = operationId.split('.')
  if (LEFT_OUT.some((pattern) => pattern.test(operationId))) return []
  if (!BILLING.includes(group)) return [{ group, name, endpoint }]
  return method === 'GET' ? [{ group: 'billing', name: billingName(group, name), endpoint }] : []
}

/**
 * Returns the method for an endpoint of several groups: "orders.list" is "listOrders", "refunds.quote" "quoteRefund".
 */
function billingName(group: string, name: string): string {
  if (name === 'list') return `list${typeName(group)}`
  return ['get', 'quote'].includes(name) ? `${name}${typeName(group.replace(/s$/, ''))}` : name
}

function row(endpoint: Endpoint): string {
  return `${endpoint.method} ${flagsOf(endpoint)} ${endpoint.path}`
}

function flagsOf(endpoint: Endpoint): string {
  const { operationId, method, parameters, requestBody } = endpoint
  const query = queryOf(endpoint)
  const has_key = parameters.some(({ name }) => name === 'idempotency-key')
  const is_paged = method === 'GET' && query.some(({ name }) => name === 'offset')
  return [
    requestBody?.content['application/json'] && 'b',
    requestBody?.content['multipart/form-data'] && 'f',
    has_key && 'i',
    is_paged && 'p',
    query.length > 0 && 'q',
    answerOf(endpoint) === null && hasFile(endpoint) && 'r',
    (method !== 'POST' || REPEATABLE.includes(operationId)) && 's',
  ]
    .filter(Boolean)
    .join('')
}

function signature({ name, endpoint }: Method, declare: (name: string, schema: Schema) => string): string {
  const { operationId, path, summary, requestBody } = endpoint
  const own = typeName(operationId)
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, place = '']) => `${place}: ${placeType(endpoint, place)}`,
  )
  const body = requestBody?.content['application/json']?.schema
  const query = queryOf(endpoint)
  const input = [
    body && `body: ${referencedName(body) ?? declare(`${own}Request`, body)}`,
    requestBody?.content['multipart/form-data'] && 'form: { file: Blob; [field: string]: string | Blob }',
  ].filter((part) => typeof part === 'string')
  const is_required = query.some(({ required }) => required)
  // One object holds the query and the options, so adding a query to an endpoint does not break its callers.
  const fields =
    query.length > 0 ? `${declare(`${own}Query`, querySchema(query))} & CallOptions` : 'CallOptions'
  const options = `${is_required ? 'options' : 'options?'}: ${fields}`
  const schema = answerOf(endpoint)
  const answer = schema === null ? null : typeOf(schema, `${own}Response`, declare)
  const returned = flagsOf(endpoint).includes('p')
    ? `Page<${answer?.replace(/\[\]$/, '')}>`
    : `Promise<${answer ?? (hasFile(endpoint) ? 'Response' : 'void')}>`
  const parameters = [...places, ...input, options].join(', ')
  return `/** ${summary}. */\n    ${name}(${parameters}): ${returned}`
}

function placeType({ parameters }: Endpoint, place: string): string {
  const type = parameters.find(({ name }) => name === place)?.schema.type
  return type === 'integer' ? 'number' : 'string'
}

function typeOf(schema: Schema, name: string, declare: (name: string, schema: Schema) => string): string {
  const named = referencedName(schema)
  if (named !== null) return named
  if (schema.type === 'array') return `${typeOf(schema.items as Schema, name, declare)}[]`
  return declare(name, schema)
}

function queryOf({ parameters }: Endpoint) {
  return parameters.filter((parameter) => parameter.in === 'query')
}

function querySchema(query: ReturnType<typeof queryOf>): Schema {
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name)
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, oneOrMany(schema)]))
  return { type: 'object', properties, required }
}

/** Allows a single value for a list in a query. */
function oneOrMany(schema: Schema): Schema {
  if (schema.type !== 'array') return schema
  const { description, ...list } = schema
  return { description, anyOf: [schema.items, list] }
}

/** Returns the schema of the successful JSON response, or null if there is none. */
function answerOf({ responses }: Endpoint): Schema | null {
  return success(responses)?.content?.['application/json']?.schema ?? null
}

function hasFile({ responses }: Endpoint): boolean {
  return success(responses)?.content !== undefined
}

function success(responses: Endpoint['responses']) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
}

/** Lists the schemas that the requests and responses of the methods reference by name. */
function referencedBy(methods: readonly Method[]): string[] {
  const schemas = methods.flatMap(({ endpoint }) => [
    endpoint.requestBody?.content['application/json']?.schema,
    answerOf(endpoint),
  ])
  const named = schemas.flatMap((schema) => {
    if (!schema) return []
    const inner = schema.type === 'array' ? (schema.items as Schema) : schema
    return referencedName(inner) ?? []
  })
  return [...new Set(named)]
}
