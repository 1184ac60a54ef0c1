import { z } from 'zod'
import type { Client } from '../../dev/client.ts'
import type { Endpoint } from './api-document.ts'
import type { CrossTenantRequest } from './cross-tenant-request.ts'
import type { NamedResources } from './cross-tenant-resources.ts'

/** A caller, and the resources that the names in its requests stand for. */
export interface Sender {
  client: Client
  resources: NamedResources
}

function findResource(resources: NamedResources, name: string): string | number {
  const resource = resources[name]
  if (resource === undefined) throw new Error(`Unknown resource name ${name}.`)
  return resource
}

/** Replaces each `{name}` with the id of that resource. */
function fill(
  text: string,
  resources: NamedResources,
  encode: (resource: string | number) => string = String,
) {
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => encode(findResource(resources, name)))
}

/** Replaces the names in all strings of a body. A string that consists only of a name takes on the id's type. */
function fillBody(body: object, resources: NamedResources): string {
  const filled = JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
    const [, name] = (typeof value === 'string' && /^\{(\w+)\}$/.exec(value)) || []
    return name === undefined ? value : findResource(resources, name)
  })
  return JSON.stringify(filled)
}

const Refusal = z.object({ code: z.string(), detail: z.unknown() })

/** @returns the status, and for an error also its code and detail */
export async function sendCrossTenant(
  request: CrossTenantRequest,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { client, resources }: Sender,
  file: File,
) {
  const inPath = Object.entries(request.path ?? {}).map(([name, value]) => [name, fill(value, resources)])
  const filled = fill(path, { ...resources, ...Object.fromEntries(inPath) }, encodeURIComponent)
  const query = request.query === undefined ? '' : `?${fill(request.query, resources, encodeURIComponent)}`
  const response = await fetch(client.apiUrl + filled + query, {
    method,
    headers: {
      ...(client.token === null ? {} : { authorization: `Bearer ${client.token}` }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...contentOf(request, resources, file),
  })
  const text = await response.text()
  const { code, detail } = response.ok ? { code: null, detail: null } : Refusal.parse(JSON.parse(text))
  return { status: response.status, code, detail }
}

function contentOf(
  { body, form }: CrossTenantRequest,
  resources: NamedResources,
  file: File,
): { body?: string | FormData } {
  if (body !== undefined) return { body: fillBody(body, resources) }
  if (form === undefined) return {}
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) data.append(name, fill(value, resources))
  data.append('file', file)
  return { body: data }
}
