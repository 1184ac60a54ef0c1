import { z } from 'zod'

/** A place in a trace, as the header `traceparent` of W3C Trace Context names it. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  trace_id: string
  /** 16 hexadecimal digits. */
  span_id: string
  /** False if the caller does not record the trace; nobody else does then. */
  sampled: boolean
}

/** Version, trace, span and flags. Versions after 00 may append fields. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const LENGTH_MAX = 256

/** Returns null for a value that is absent or invalid, which the standard ignores. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  if (text == null || text.length > LENGTH_MAX) return null
  const [, version, trace_id, span_id, flags, rest] = TRACEPARENT.exec(text) ?? []
  if (trace_id === undefined || span_id === undefined) return null
  if (version === '00' && rest !== undefined) return null
  return { trace_id, span_id, sampled: (Number.parseInt(flags ?? '', 16) & 1) === 1 }
}

export function writeTraceparent({ trace_id, span_id, sampled }: TraceContext): string {
  return `00-${trace_id}-${span_id}-${sampled ? '01' : '00'}`
}

/** An invalid value counts as absent: a trace must never be the reason why a job does not run. */
export const Traceparent = z
  .string()
  .refine((text) => parseTraceparent(text) !== null)
  .optional()
  .catch(undefined)
