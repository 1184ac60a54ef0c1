/** Headers that a job may send to the host of the file that it imports. Contract: Jobs, Import by URL. */
export type ImportHeaders = Record<string, string>

export const HEADERS_MAX = 10
export const HEADERS_BYTES_MAX = 4096
export const HEADER_NAME_LENGTH_MAX = 64

const ALLOWED_NAME = /^(?:authorization|cookie|referer|user-agent|x-[a-z0-9_-]+)$/i
/** Servers trust these headers of their proxies. */
const PROXY_NAME = /^x-forwarded-/i
/** Printable ASCII without spaces around it: nothing that could end the header or begin another one. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

export function isAllowedHeader(name: string): boolean {
  return ALLOWED_NAME.test(name) && !PROXY_NAME.test(name)
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value)
}

/** Checks the number and the size of the headers, and that no two names differ only in case. */
export function isWithinLimits(headers: ImportHeaders): boolean {
  const entries = Object.entries(headers)
  const names = new Set(entries.map(([name]) => name.toLowerCase()))
  const length = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return entries.length <= HEADERS_MAX && names.size === entries.length && length <= HEADERS_BYTES_MAX
}

/** Returns the headers with lowercase names, as the fleet sends them. */
export function lowercaseNames(headers: ImportHeaders): ImportHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
