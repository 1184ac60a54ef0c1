import type { DocumentedOperation, Parameter } from './document.ts'
import { corruptForm, formOf } from './form.ts'
import { makeHarmless, SESSION_ENDING } from './harmless.ts'
import { invalidate, invalidateText } from './invalidate.ts'
import { BOT } from './messenger.ts'
import type { Caller, PreparedSystem } from './prepare.ts'
import { type Random, randomOf } from './random.ts'
import { type Known, makeValue } from './values.ts'

/**
 * Valid according to the document; nearly valid, with one to three errors; or with malformed text, bytes, or
 * headers.
 */
export type Kind = 'valid' | 'nearly valid' | 'malformed'

export interface PlannedRequest {
  number: number
  operation: DocumentedOperation
  kind: Kind
  /** Name of the caller whose credentials the request carries. */
  caller: string
  /** Path including the query string. */
  path: string
  headers: Record<string, string>
  body: string | Buffer | null
}

/** Generates a request. The same seed, number, and prepared system always produce the same request. */
export function planRequest(
  operations: readonly DocumentedOperation[],
  system: PreparedSystem,
  seed: number,
  number: number,
): PlannedRequest {
  const random = randomOf(seed, number)
  const operation = random.pick(operations)
  const kind = random.pick<Kind>(['valid', 'valid', 'valid', 'nearly valid', 'nearly valid', 'malformed'])
  const caller = pickCaller(operation, system, kind, random)
  const known: Known = (name) => system.resources[`${operation.name} ${name}`] ?? system.resources[name]
  const { body, content_type } = bodyOf(operation, kind, { system, known, random })
  const headers = {
    ...headersOf(operation, kind, random),
    ...caller.headers,
    // Each request comes from a different address, as if there were many callers.
    'cf-connecting-ip': `198.18.${random.int(0, 255)}.${random.int(0, 255)}`,
    ...(content_type === null ? {} : { 'content-type': content_type }),
  }
  const path = `${pathOf(operation, kind, known, random)}${queryOf(operation, kind, known, random)}`
  return { number, operation, kind, caller: caller.name, path, headers, body }
}

const AUTHORIZED_SHARE = 0.8

function pickCaller(
  { access, name }: DocumentedOperation,
  { callers }: PreparedSystem,
  kind: Kind,
  random: Random,
): Caller {
  if (SESSION_ENDING.includes(name)) return random.pick(callers.filter(({ grants }) => grants.length === 0))
  const authorized = callers.filter(({ grants }) => grants.includes(access))
  // Only an authorized caller gets past the access check to input validation.
  const share = kind === 'valid' ? AUTHORIZED_SHARE : 0.9
  return random.pick(random.chance(share) && authorized.length > 0 ? authorized : callers)
}

interface BodyContext {
  system: PreparedSystem
  known: Known
  random: Random
}

function bodyOf(operation: DocumentedOperation, kind: Kind, { system, known, random }: BodyContext) {
  const { body, name, method } = operation
  if (body === null) {
    const sent = kind === 'malformed' && method !== 'GET' && random.chance(0.3)
    return sent ? invalidateText('{}', random) : { body: null, content_type: null }
  }
  const submission = random.chance(0.7) ? random.pick(system.submissions) : {}
  const valid = makeHarmless(
    name,
    { ...(makeValue(body.schema, random, known) as object) },
    submission,
    random,
  )
  const value = kind === 'nearly valid' ? makeHarmless(name, invalidate(valid, random), {}, random) : valid
  if (body.content_type === 'multipart/form-data') {
    const form = formOf(
      value,
      random.pick(kind === 'valid' ? system.files.filter(({ content }) => content.length > 0) : system.files),
      random,
    )
    return kind === 'malformed' ? corruptForm(form, random) : form
  }
  const text = JSON.stringify(value) ?? ''
  return kind === 'malformed' && random.chance(0.8)
    ? invalidateText(text, random)
    : { body: text, content_type: 'application/json' }
}

/** Values that cannot be resource ids, so a request changes only the resources created for it. */
const INVALID_IDS = [
  '0',
  '-1',
  '1.5',
  'abc',
  '9007199254740993',
  '1e99',
  '999999999',
  '%20',
  'null',
  '%D9%A1',
  '%00',
]
const UNUSUAL_TEXTS = [
  '%F0%9F%A6%84',
  'x'.repeat(300),
  '%2e%2e%2fjobs',
  "'--",
  '%ff',
  '%ED%A0%80',
  '{}',
  'a%0d%0ab',
  '*',
]
const UNKNOWN_NUMBER = 999_999_999
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

function pathOf({ path, parameters }: DocumentedOperation, kind: Kind, known: Known, random: Random): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const resources = known(name) ?? []
    if (resources.length > 0 && random.chance(kind === 'valid' ? 0.95 : 0.7)) {
      return encodeURIComponent(String(random.pick(resources)))
    }
    const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema
    return kind === 'valid'
      ? schema?.type === 'integer'
        ? String(Math.min(schema.maximum ?? UNKNOWN_NUMBER, UNKNOWN_NUMBER))
        : UNKNOWN_ID
      : random.pick([...INVALID_IDS, ...UNUSUAL_TEXTS, UNKNOWN_ID])
  })
}

function queryOf({ parameters }: DocumentedOperation, kind: Kind, known: Known, random: Random): string {
  const query = new URLSearchParams()
  for (const { name, required, schema } of parameters.filter((each) => each.in === 'query')) {
    if (!required && random.chance(0.4)) continue
    const value = makeValue(schema, random, known, name)
    const invalid = kind !== 'valid' && random.chance(0.5) ? invalidate({ value }, random) : { value }
    const { value: sent } = { value: undefined, ...(invalid as object) }
    query.append(name, queryText(sent).slice(0, 8000))
    if (kind !== 'valid' && random.chance(0.1)) query.append(name, '2')
  }
  if (kind !== 'valid' && random.chance(0.2)) query.append(random.pick(['x', 'limit[]', '__proto__']), '1')
  return query.size === 0 ? '' : `?${query}`
}

/** Lists are sent as the document declares them: separated by commas. */
function queryText(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(',')
  return String(typeof value === 'object' ? JSON.stringify(value) : value)
}

const UNUSUAL_HEADERS: Record<string, string>[] = [
  ...['x'.repeat(300), '', 'é', '"quoted"'].map((key) => ({ 'idempotency-key': key })),
  { accept: 'text/html' },
  { 'x-anonymous-id': 'not a uuid' },
  { 'x-forwarded-for': '1.2.3.4, ::1' },
  { range: 'bytes=5-1' },
  { range: 'bytes=-0,0-,x' },
  { 'last-event-id': '999999999999999999' },
  { 'last-event-id': 'x' },
  { cookie: 'a=b; __Host-flow=%00' },
  { 'accept-language': 'x'.repeat(2000) },
  { 'user-agent': '' },
]

function headersOf(
  { path, parameters }: DocumentedOperation,
  kind: Kind,
  random: Random,
): Record<string, string> {
  const accepts = (name: string) =>
    parameters.some((each: Parameter) => each.in === 'header' && each.name === name)
  return {
    ...(accepts('idempotency-key') && random.chance(0.3)
      ? { 'idempotency-key': `r-${random.int(0, 5000)}` }
      : {}),
    ...(random.chance(0.3) ? { 'x-anonymous-id': UNKNOWN_ID } : {}),
    ...(path.startsWith('/api/v1/tg/') ? { 'x-messenger-bot-api-secret-token': BOT.secret } : {}),
    ...(kind === 'malformed' && random.chance(0.5) ? random.pick(UNUSUAL_HEADERS) : {}),
  }
}
