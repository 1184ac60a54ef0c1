import { z } from 'zod'
import type { Client } from '../../dev/client.ts'
import type { Endpoint } from './api-document.ts'
import type { CrossTenantRequest } from './cross-tenant-requests.ts'
import type { NamedResources } from './cross-tenant-resources.ts'

/** Who asks, and what the names of a request stand for when they do. */
export interface Sender {
  client: Client
  things: NamedResources
}

function findThing(things: NamedResources, name: string): string | number {
  const thing = things[name]
  if (thing === undefined) throw new Error(`nothing is called ${name}`)
  return thing
}

/** Puts things in the place of their names. */
function fill(text: string, things: NamedResources, encode: (thing: string | number) => string = String) {
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => encode(findThing(things, name)))
}

/** The same in all texts of a body; a text that is a name alone becomes the thing, be it a number. */
function fillBody(body: object, things: NamedResources): string {
  const filled = JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
    const [, name] = (typeof value === 'string' && /^\{(\w+)\}$/.exec(value)) || []
    return name === undefined ? value : findThing(things, name)
  })
  return JSON.stringify(filled)
}

const Refusal = z.object({ code: z.string(), detail: z.unknown() })

/** @returns the status of the answer, and the code and detail of a refusal. */
export async function sendCrossTenant(
  request: CrossTenantRequest,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { client, things }: Sender,
  file: File,
) {
  const inPath = Object.entries(request.path ?? {}).map(([name, value]) => [name, fill(value, things)])
  const filled = fill(path, { ...things, ...Object.fromEntries(inPath) }, encodeURIComponent)
  const query = request.query === undefined ? '' : `?${fill(request.query, things, encodeURIComponent)}`
  const response = await fetch(client.apiUrl + filled + query, {
    method,
    headers: {
      ...(client.token === null ? {} : { authorization: `Bearer ${client.token}` }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...contentOf(request, things, file),
  })
  const text = await response.text()
  const { code, detail } = response.ok ? { code: null, detail: null } : Refusal.parse(JSON.parse(text))
  return { status: response.status, code, detail }
}

function contentOf(
  { body, form }: CrossTenantRequest,
  things: NamedResources,
  file: File,
): { body?: string | FormData } {
  if (body !== undefined) return { body: fillBody(body, things) }
  if (form === undefined) return {}
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) data.append(name, fill(value, things))
  data.append('file', file)
  return { body: data }
}
