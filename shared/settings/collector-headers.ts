import { z } from 'zod'

/** The characters of names and values of headers (RFC 9110, 5.1 and 5.5). Another one would fail every request. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t -~]*$/

/** Headers for an OpenTelemetry collector, as its settings write them: `name=value` pairs, separated by commas. */
export const CollectorHeaders = z.string().transform((text, context) => {
  const pairs = text.split(',').map(parsePair)
  if (pairs.every((pair) => pair !== null)) return Object.fromEntries(pairs)
  context.addIssue({ code: 'custom', message: 'must be name=value pairs, separated by commas' })
  return z.NEVER
})

/** Parses a pair whose value is percent-encoded. Returns null if no request could have this header. */
function parsePair(pair: string): readonly [string, string] | null {
  const at = pair.indexOf('=')
  const name = pair.slice(0, Math.max(0, at)).trim()
  const value = decodeValue(pair.slice(at + 1).trim())
  return value !== null && NAME.test(name) && VALUE.test(value) ? [name, value] : null
}

function decodeValue(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
